# The trace reader and its views under libFuzzer, where clang is the compiler:
#   ninja -C build-fuzz kineto-fuzzer && build-fuzz/bin/kineto-fuzzer CORPUS
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND LOOPSCOPE_HAVE_KINETO)
  find_package(simdjson REQUIRED)
  find_package(ZLIB REQUIRED)
  find_package(nlohmann_json REQUIRED)
  set(fuzzed_sources)
  foreach(part Profile Report)
    get_target_property(sources Loopscope${part} SOURCES)
    foreach(source ${sources})
      if(NOT IS_ABSOLUTE ${source})
        set(source ${CMAKE_SOURCE_DIR}/lib/${part}/${source})
      endif()
      list(APPEND fuzzed_sources ${source})
    endforeach()
  endforeach()
  list(FILTER fuzzed_sources EXCLUDE REGEX "Html|ReportCommand")
  add_executable(kineto-fuzzer EXCLUDE_FROM_ALL
    KinetoFuzzer.cpp ${fuzzed_sources})
  target_include_directories(kineto-fuzzer PRIVATE
    ${CMAKE_SOURCE_DIR}/lib ${CMAKE_SOURCE_DIR}/runtime/include
    ${LIBDEFLATE_INCLUDE_DIR})
  target_compile_options(kineto-fuzzer PRIVATE
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -g -O1)
  target_link_options(kineto-fuzzer PRIVATE
    -fsanitize=fuzzer,address,undefined)
  target_link_libraries(kineto-fuzzer PRIVATE fmt::fmt simdjson::simdjson
    ZLIB::ZLIB ${LIBDEFLATE_LIBRARY} nlohmann_json::nlohmann_json)
endif()
