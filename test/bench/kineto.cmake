# kineto_bench: reading PyTorch traces, compared with just inflating and parsing them.
if(LOOPSCOPE_HAVE_KINETO)
  add_executable(kineto_bench kineto_bench.cpp)
  find_package(simdjson REQUIRED)
  target_include_directories(kineto_bench PRIVATE ${LIBDEFLATE_INCLUDE_DIR})
  target_link_libraries(kineto_bench PRIVATE LoopscopeReport
    simdjson::simdjson ${LIBDEFLATE_LIBRARY} loopscope_options)
else()
  message(STATUS "kineto_bench: skipped, PyTorch traces cannot be read")
endif()
