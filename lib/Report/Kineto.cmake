# The views of PyTorch (Kineto) traces.
target_sources(LoopscopeReport PRIVATE
  KernelRows.cpp
  OperatorRows.cpp
  PythonJson.cpp
  TensorBoardJson.cpp)
