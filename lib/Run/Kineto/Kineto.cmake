# The reader of PyTorch (Kineto) traces: needs simdjson, libdeflate and zlib.
# Without them everything else is built, and reading a trace is an error that
# names what is missing.
find_package(simdjson QUIET)
find_package(ZLIB QUIET)
find_path(LIBDEFLATE_INCLUDE_DIR libdeflate.h)
loopscope_find_archive(LIBDEFLATE_LIBRARY deflate)
set(LOOPSCOPE_KINETO_MISSING "")
if(NOT simdjson_FOUND)
  list(APPEND LOOPSCOPE_KINETO_MISSING "simdjson (libsimdjson-dev)")
endif()
if(NOT ZLIB_FOUND)
  list(APPEND LOOPSCOPE_KINETO_MISSING "zlib (zlib1g-dev)")
endif()
if(NOT LIBDEFLATE_INCLUDE_DIR OR NOT LIBDEFLATE_LIBRARY)
  list(APPEND LOOPSCOPE_KINETO_MISSING "libdeflate (libdeflate-dev)")
endif()
list(JOIN LOOPSCOPE_KINETO_MISSING ", " LOOPSCOPE_KINETO_MISSING)

if(LOOPSCOPE_KINETO_MISSING)
  message(STATUS "PyTorch traces cannot be read: missing ${LOOPSCOPE_KINETO_MISSING}")
  set(LOOPSCOPE_HAVE_KINETO OFF CACHE INTERNAL "")
  target_sources(LoopscopeRun PRIVATE Kineto/KinetoUnavailable.cpp)
  set_source_files_properties(Kineto/KinetoUnavailable.cpp PROPERTIES COMPILE_DEFINITIONS
    "LOOPSCOPE_KINETO_MISSING=\"${LOOPSCOPE_KINETO_MISSING}\"")
else()
  set(LOOPSCOPE_HAVE_KINETO ON CACHE INTERNAL "")
  target_sources(LoopscopeRun PRIVATE
    Kineto/Deflate.cpp
    Kineto/Inflate.cpp
    Kineto/JsonStrings.cpp
    Kineto/KinetoEvents.cpp
    Kineto/KinetoParser.cpp
    Kineto/KinetoReader.cpp
    Kineto/Plausible.cpp
    Kineto/TraceInput.cpp
    Kineto/TraceKinds.cpp)
  target_include_directories(LoopscopeRun PRIVATE ${LIBDEFLATE_INCLUDE_DIR})
  target_link_libraries(LoopscopeRun PRIVATE
    simdjson::simdjson ZLIB::ZLIB ${LIBDEFLATE_LIBRARY})
endif()
