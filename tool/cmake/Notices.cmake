# Writes FILE: Loopscope's licence, and the notices of what its programs carry.
# A library's are those that its Debian package has; other systems' packagers add
# their own. Libraries are found by asking dpkg whose files they are, so that a
# notice belongs to the version that is linked.
#
#   cmake -DFILE=PATH -DLICENSE=PATH "-DTOOLS=PROGRAM;..." "-DSTATIC=FILE;..."
#     "-DNPM=FOLDER;..." -P Notices.cmake
#
# TOOLS bring the libraries that they load, all but the compiler's and libc's;
# STATIC are archives and headers that are compiled into them, and headers that
# are installed; NPM are folders of npm's packages.
cmake_minimum_required(VERSION 3.25)
file(READ "${LICENSE}" text)
set(text "Loopscope\n\n${text}")

file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${TOOLS}
  RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|gcc_s)\\.so" "^ld-linux")
set(packages)
foreach(path IN LISTS libraries STATIC)
  # dpkg knows the file, or the name by which merged folders have it.
  file(REAL_PATH "${path}" real)
  string(REGEX REPLACE "^/usr/lib/" "/lib/" alias "${real}")
  set(owner)
  foreach(name IN ITEMS "${real}" "${alias}")
    execute_process(COMMAND dpkg-query -S "${name}"
      OUTPUT_VARIABLE found ERROR_QUIET RESULT_VARIABLE failed)
    if(failed STREQUAL 0 AND found MATCHES "^([^:,\n]+)")
      set(owner ${CMAKE_MATCH_1})
      break()
    endif()
  endforeach()
  if(owner AND EXISTS /usr/share/doc/${owner}/copyright)
    list(APPEND packages ${owner})
  else()
    list(APPEND missing "${path}")
  endif()
endforeach()
list(REMOVE_DUPLICATES packages)
list(SORT packages)
# Packages of one source have one text.
set(sums)
foreach(package IN LISTS packages)
  file(SHA256 /usr/share/doc/${package}/copyright sum)
  list(APPEND sums ${sum})
  list(APPEND packages_${sum} ${package})
endforeach()
list(REMOVE_DUPLICATES sums)
foreach(sum IN LISTS sums)
  list(GET packages_${sum} 0 package)
  file(READ /usr/share/doc/${package}/copyright part)
  list(JOIN packages_${sum} ", " named)
  string(APPEND text "\n\n${named}\n\n${part}")
endforeach()

foreach(folder IN LISTS NPM)
  cmake_path(GET folder FILENAME package)
  if(NOT EXISTS ${folder}/LICENSE)
    list(APPEND missing "${folder}")
    continue()
  endif()
  file(GLOB notices ${folder}/NOTICE ${folder}/licenses/*)
  list(SORT notices)
  string(APPEND text "\n\n${package}, in the HTML page\n")
  foreach(notice IN ITEMS ${folder}/LICENSE ${notices})
    file(READ ${notice} part)
    string(APPEND text "\n${part}")
  endforeach()
endforeach()

if(missing)
  string(REPLACE ";" ", " missing "${missing}")
  message(STATUS "No notices found for ${missing}: add them before you give packages to others.")
endif()
file(WRITE "${FILE}" "${text}")
