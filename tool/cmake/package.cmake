# Exports the package Loopscope: to the build tree and to the installed prefix.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/Loopscope)
set(exported loopscope_runtime loopscope)
if(LOOPSCOPE_ENABLE_REWRITER)
  list(APPEND exported loopscope-rewrite loopscope-launch)
endif()

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/LoopscopeConfig.cmake.in
  ${PROJECT_BINARY_DIR}/LoopscopeConfig.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/LoopscopeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
foreach(file LoopscopeInstrument.cmake torch_facts.cpp)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${file}
    ${PROJECT_BINARY_DIR}/${file} COPYONLY)
endforeach()

# The build tree's targets; export() would want the targets that only hold our
# own compile options, too.
set(build_targets [[
# Made by Loopscope's build: its targets where they were built.
if(NOT TARGET Loopscope::runtime)
  add_library(Loopscope::runtime STATIC IMPORTED)
  set_target_properties(Loopscope::runtime PROPERTIES
    IMPORTED_LOCATION "$<TARGET_FILE:loopscope_runtime>"
    IMPORTED_LINK_INTERFACE_LANGUAGES "C"
    INTERFACE_INCLUDE_DIRECTORIES "@PROJECT_SOURCE_DIR@/runtime/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;@CMAKE_DL_LIBS@")
endif()
]])
foreach(name IN LISTS exported)
  if(NOT name STREQUAL loopscope_runtime)
    string(APPEND build_targets
      "if(NOT TARGET Loopscope::${name})\n"
      "  add_executable(Loopscope::${name} IMPORTED)\n"
      "  set_target_properties(Loopscope::${name} PROPERTIES\n"
      "    IMPORTED_LOCATION \"$<TARGET_FILE:${name}>\")\n"
      "endif()\n")
  endif()
endforeach()
string(CONFIGURE "${build_targets}" build_targets @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/LoopscopeTargets.cmake
  CONTENT "${build_targets}")
install(EXPORT LoopscopeTargets NAMESPACE Loopscope::
  DESTINATION ${package_directory})
install(FILES
  ${PROJECT_BINARY_DIR}/LoopscopeConfig.cmake
  ${PROJECT_BINARY_DIR}/LoopscopeConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/LoopscopeInstrument.cmake
  ${CMAKE_CURRENT_LIST_DIR}/torch_facts.cpp
  DESTINATION ${package_directory})
