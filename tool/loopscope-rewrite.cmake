# The rewriter's command line.
if(LOOPSCOPE_ENABLE_REWRITER)
  add_executable(loopscope-rewrite loopscope-rewrite.cpp)
  target_compile_definitions(loopscope-rewrite PRIVATE
    LOOPSCOPE_VERSION="${PROJECT_VERSION}")
  target_link_libraries(loopscope-rewrite
    PRIVATE LoopscopeInstrument LoopscopeAnalysis loopscope_options)
  loopscope_make_portable(loopscope-rewrite)
  install(TARGETS loopscope-rewrite EXPORT LoopscopeTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
