# loopscope, the report generator.
find_package(CLI11 REQUIRED)
add_executable(loopscope loopscope.cpp CommandOptions.cpp DiffOptions.cpp ViewCommandLine.cpp)
target_link_libraries(loopscope PRIVATE
  LoopscopeReport CLI11::CLI11 loopscope_options)
file(RELATIVE_PATH cmake_from_bin
  /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR}/cmake/Loopscope)
target_compile_definitions(loopscope PRIVATE
  LOOPSCOPE_CMAKE_FROM_BIN="${cmake_from_bin}"
  LOOPSCOPE_VERSION="${PROJECT_VERSION}")
loopscope_make_portable(loopscope)
install(TARGETS loopscope EXPORT LoopscopeTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
