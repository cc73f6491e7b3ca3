# The views of PyTorch (Kineto) traces.
target_sources(LoopscopeReport PRIVATE
  KernelRows.cpp
  KernelsTable.cpp
  KinetoSection.cpp
  OperatorRows.cpp
  OperatorsTable.cpp
  OverviewAdvice.cpp
  OverviewTables.cpp
  PythonJson.cpp
  TableOptions.cpp
  TensorBoardJson.cpp
  TraceFigures.cpp)
