# cpack makes a .deb and a .tar.gz whose tools run on systems without our
# libraries: those are taken along, all but the compiler's and libc's.
#
#   cpack --config build/CPackConfig.cmake

set(tools loopscope)
if(LOOPSCOPE_ENABLE_REWRITER)
  list(APPEND tools loopscope-rewrite loopscope-launch)
endif()
set_target_properties(${tools} PROPERTIES
  INSTALL_RPATH "$ORIGIN/../${LOOPSCOPE_PRIVATE_LIBDIR}")
foreach(tool IN LISTS tools)
  list(APPEND tool_files "$<TARGET_FILE:${tool}>")
endforeach()
install(CODE "
  file(GET_RUNTIME_DEPENDENCIES
    EXECUTABLES ${tool_files}
    RESOLVED_DEPENDENCIES_VAR libraries
    PRE_EXCLUDE_REGEXES \"^lib(c|m|dl|rt|pthread|gcc_s|stdc\\\\+\\\\+)\\\\.so\" \"^ld-linux\")
  foreach(library IN LISTS libraries)
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${LOOPSCOPE_PRIVATE_LIBDIR}\"
      TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN FILES \"\${library}\")
  endforeach()")

# Notices of everything that the packages carry: the libraries above, and what
# is compiled into the tools.
find_path(LOOPSCOPE_CLI11_HEADERS CLI/CLI.hpp)
find_path(LOOPSCOPE_JSON_HEADERS nlohmann/json.hpp)
find_path(LOOPSCOPE_FMT_HEADERS fmt/format.h)
set(compiled_in ${LOOPSCOPE_CLI11_HEADERS}/CLI/CLI.hpp ${LOOPSCOPE_JSON_HEADERS}/nlohmann/json.hpp
  ${LOOPSCOPE_FMT_HEADERS}/fmt/format.h)
foreach(library ${LIBDEFLATE_LIBRARY} ${SQLite3_LIBRARY} ${LOOPSCOPE_ZSTD_LIBRARY} ${LOOPSCOPE_STANDARD_LIBRARY})
  if(library MATCHES "\\.a$")
    list(APPEND compiled_in ${library})
  endif()
endforeach()
if(LOOPSCOPE_ENABLE_REWRITER)
  get_property(clang DIRECTORY lib/Instrument PROPERTY LOOPSCOPE_CARRIED_FILES)
  list(APPEND compiled_in ${clang})
endif()
set(npm_packages)
if(EXISTS ${CMAKE_BINARY_DIR}/html/node_modules/echarts)
  set(npm_packages ${CMAKE_BINARY_DIR}/html/node_modules/echarts ${CMAKE_BINARY_DIR}/html/node_modules/zrender)
endif()
set(notices ${CMAKE_BINARY_DIR}/copyright)
add_custom_command(OUTPUT ${notices}
  COMMAND ${CMAKE_COMMAND} -DFILE=${notices} -DLICENSE=${PROJECT_SOURCE_DIR}/LICENSE -DSYSROOT=${LOOPSCOPE_SYSROOT}
    "-DTOOLS=${tool_files}" "-DSTATIC=${compiled_in}" "-DNPM=${npm_packages}"
    -P ${PROJECT_SOURCE_DIR}/tool/cmake/Notices.cmake
  DEPENDS ${tools} ${PROJECT_SOURCE_DIR}/tool/cmake/Notices.cmake ${PROJECT_SOURCE_DIR}/LICENSE VERBATIM)
add_custom_target(notices ALL DEPENDS ${notices})
install(FILES ${notices} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/loopscope)

# The file for pkg-config, which finds the rest relative to itself.
file(RELATIVE_PATH LOOPSCOPE_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(tool/packages/loopscope.pc.in loopscope.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/loopscope.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Manual pages, from what the tools say of themselves.
foreach(tool IN LISTS tools)
  set(page ${CMAKE_BINARY_DIR}/man/${tool}.1)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:${tool}> -DPAGE=${page}
      -DVERSION=${PROJECT_VERSION} "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}"
      -P ${PROJECT_SOURCE_DIR}/tool/cmake/ManPage.cmake
    DEPENDS ${tool} ${PROJECT_SOURCE_DIR}/tool/cmake/ManPage.cmake VERBATIM)
  list(APPEND pages ${page})
endforeach()
add_custom_target(man ALL DEPENDS ${pages})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME loopscope)
set(CPACK_SYSTEM_NAME Linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_VENDOR Loopscope)
# Debian wants a maintainer with an address; whoever publishes packages gives
# theirs.
set(LOOPSCOPE_PACKAGE_CONTACT "Loopscope contributors <contributors@loopscope.invalid>"
  CACHE STRING "Who answers for the packages, as Name <address>")
set(CPACK_PACKAGE_CONTACT "${LOOPSCOPE_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "Training-loop profiler for C, C++ and CUDA")
set(CPACK_PACKAGE_DESCRIPTION
  "Shows where a training loop's time goes. Attributes mark the phases of the
loop, a compiler launcher puts timers there, and reports show the time of each
phase, on the CPU and on GPUs.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
# Whatever the umask of who makes them.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE amd64)
endif()
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The versions of symbols that the tools use; Build/package.test compares them.
# zlib is the system's, as Debian demands: every system has it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.28), libgcc-s1 | libgcc1, libstdc++6 (>= 5), zlib1g (>= 1:1.2.0)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ | clang")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/tool/cmake/DebianFiles.cmake)
set(CPACK_LOOPSCOPE_TRIPLET "${CMAKE_LIBRARY_ARCHITECTURE}")
include(CPack)
