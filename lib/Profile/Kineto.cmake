# The reader of PyTorch (Kineto) traces: needs simdjson, libdeflate and zlib.
# Without them everything else is built, and reading a trace is an error that
# names what is missing.
target_sources(LoopscopeProfile PRIVATE
  KinetoCalls.cpp
  KinetoLinks.cpp
  CallTree.cpp
  KinetoSteps.cpp
  Events.cpp
  TraceIntervals.cpp
  TraceNumbers.cpp
  TraceStrings.cpp
  TraceTimeline.cpp)

find_package(simdjson QUIET)
find_package(ZLIB QUIET)
find_path(LIBDEFLATE_INCLUDE_DIR libdeflate.h)
find_library(LIBDEFLATE_LIBRARY deflate)
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
  target_sources(LoopscopeProfile PRIVATE KinetoUnavailable.cpp)
  set_source_files_properties(KinetoUnavailable.cpp PROPERTIES COMPILE_DEFINITIONS
    "LOOPSCOPE_KINETO_MISSING=\"${LOOPSCOPE_KINETO_MISSING}\"")
else()
  set(LOOPSCOPE_HAVE_KINETO ON CACHE INTERNAL "")
  target_sources(LoopscopeProfile PRIVATE
    Deflate.cpp
    Inflate.cpp
    JsonStrings.cpp
    KinetoParser.cpp
    KinetoReader.cpp
    TraceInput.cpp
    TraceKinds.cpp)
  target_include_directories(LoopscopeProfile PRIVATE ${LIBDEFLATE_INCLUDE_DIR})
  target_link_libraries(LoopscopeProfile PRIVATE
    simdjson::simdjson ZLIB::ZLIB ${LIBDEFLATE_LIBRARY})
endif()
