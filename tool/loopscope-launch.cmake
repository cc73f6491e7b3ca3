# The compiler launcher and the CMake package.
if(LOOPSCOPE_ENABLE_REWRITER)
  add_executable(loopscope-launch loopscope-launch.cpp)
  target_compile_definitions(loopscope-launch PRIVATE
    LOOPSCOPE_VERSION="${PROJECT_VERSION}")
  target_link_libraries(loopscope-launch
    PRIVATE LoopscopeLaunch loopscope_options)
  loopscope_make_portable(loopscope-launch)
  install(TARGETS loopscope-launch EXPORT LoopscopeTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
