# Makes of the installed files what Debian's policy wants, before cpack packs them
# as a .deb: compressed manual pages, a changelog, licences by reference, the
# system's zlib, and pkg-config's file where cross compilers look for it.
cmake_minimum_required(VERSION 3.25)
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(doc ${usr}/share/doc/loopscope)

# Without time and name in the archive.
function(compress)
  execute_process(COMMAND gzip -9n ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(GLOB pages ${usr}/share/man/man1/*.1)
compress(${pages})

# The time is SOURCE_DATE_EPOCH where that is set.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog
  "loopscope (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
  "  * CHANGELOG.md.gz lists the changes.\n\n"
  " -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
file(COPY ${CMAKE_CURRENT_LIST_DIR}/../../docs/CHANGELOG.md DESTINATION ${doc})
compress(${doc}/changelog ${doc}/CHANGELOG.md)

# Debian has the licence's text once, for all packages.
file(READ ${doc}/copyright rest)
set(text "")
set(first "Apache License\n                           Version 2.0, January 2004\n")
set(last "limitations under the License.\n")
string(LENGTH "${last}" length)
string(FIND "${rest}" "${first}" from)
while(from GREATER_EQUAL 0)
  string(SUBSTRING "${rest}" 0 ${from} before)
  string(SUBSTRING "${rest}" ${from} -1 rest)
  string(FIND "${rest}" "${last}" to)
  if(to LESS 0)
    message(FATAL_ERROR "${doc}/copyright: the Apache License has no end")
  endif()
  math(EXPR to "${to} + ${length}")
  string(SUBSTRING "${rest}" ${to} -1 rest)
  string(STRIP "${before}" before)
  string(APPEND text "${before}\n\n"
    "The Apache License, version 2.0, is in /usr/share/common-licenses/Apache-2.0.\n")
  string(FIND "${rest}" "${first}" from)
endwhile()
file(WRITE ${doc}/copyright "${text}${rest}")

file(GLOB zlib ${usr}/lib/loopscope/libz.so*)
if(zlib)
  file(REMOVE ${zlib})
endif()

if(CPACK_LOOPSCOPE_TRIPLET AND EXISTS ${usr}/lib/pkgconfig/loopscope.pc)
  file(READ ${usr}/lib/pkgconfig/loopscope.pc text)
  string(REGEX REPLACE "^prefix=[^\n]*" "prefix=/usr" text "${text}")
  file(MAKE_DIRECTORY ${usr}/lib/${CPACK_LOOPSCOPE_TRIPLET}/pkgconfig)
  file(WRITE ${usr}/lib/${CPACK_LOOPSCOPE_TRIPLET}/pkgconfig/loopscope.pc "${text}")
  file(REMOVE_RECURSE ${usr}/lib/pkgconfig)
endif()

# These are loaded by their paths, in LD_PRELOAD, NVTX_INJECTION64_PATH and
# -fplugin=; nothing links them.
set(overrides "")
file(GLOB_RECURSE libraries RELATIVE ${CPACK_TEMPORARY_DIRECTORY} ${usr}/lib/libloopscope-*.so)
list(SORT libraries)
foreach(library IN LISTS libraries)
  string(APPEND overrides
    "loopscope: sharedobject-in-library-directory-missing-soname [${library}]\n")
endforeach()
file(WRITE ${usr}/share/lintian/overrides/loopscope "${overrides}")

# Whatever the umask of who makes the package.
file(CHMOD_RECURSE ${usr}/share ${usr}/lib/${CPACK_LOOPSCOPE_TRIPLET}
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
  DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
