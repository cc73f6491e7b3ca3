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

# Notices of everything that the packages carry, and the file for pkg-config,
# which finds the rest relative to itself.
install(CODE "
  execute_process(COMMAND \"${CMAKE_COMMAND}\"
    \"-DFILE=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATAROOTDIR}/doc/loopscope/copyright\"
    \"-DLICENSE=${PROJECT_SOURCE_DIR}/LICENSE\" -P \"${PROJECT_SOURCE_DIR}/tool/cmake/Notices.cmake\"
    COMMAND_ERROR_IS_FATAL ANY)")
file(RELATIVE_PATH LOOPSCOPE_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(tool/packages/loopscope.pc.in loopscope.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/loopscope.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Manual pages, from what the tools say of themselves.
foreach(tool IN LISTS tools)
  set(page ${CMAKE_BINARY_DIR}/man/${tool}.1)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:${tool}> -DPAGE=${page}
      -DVERSION=${PROJECT_VERSION} -P ${PROJECT_SOURCE_DIR}/tool/cmake/ManPage.cmake
    DEPENDS ${tool} ${PROJECT_SOURCE_DIR}/tool/cmake/ManPage.cmake VERBATIM)
  list(APPEND pages ${page})
endforeach()
add_custom_target(man ALL DEPENDS ${pages})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME loopscope)
set(CPACK_PACKAGE_VENDOR Loopscope)
# CPack wants a maintainer for the .deb; dpkg takes a name without an address.
set(CPACK_PACKAGE_CONTACT "Loopscope contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "Training-loop profiler for C, C++ and CUDA")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The versions of symbols that the tools use; Build/package.test compares them.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.34), libstdc++6 (>= 12)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ | clang")
include(CPack)
