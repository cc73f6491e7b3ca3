# Says in one message which libraries are missing and how systems call them.
set(missing "")
macro(loopscope_require package debian fedora arch)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    string(APPEND missing
      "\n  ${package}: ${debian} (Debian, Ubuntu), ${fedora} (Fedora), ${arch} (Arch)")
  endif()
endmacro()
loopscope_require(fmt libfmt-dev fmt-devel fmt)
loopscope_require(CLI11 libcli11-dev cli11-devel cli11)
loopscope_require(nlohmann_json nlohmann-json3-dev json-devel nlohmann-json)
if(LOOPSCOPE_ENABLE_TESTS)
  loopscope_require(GTest libgtest-dev gtest-devel gtest)
endif()
if(missing)
  message(FATAL_ERROR "Loopscope needs these libraries, which CMake doesn't find:"
    "${missing}\nInstall them, or name their folder in CMAKE_PREFIX_PATH.")
endif()
