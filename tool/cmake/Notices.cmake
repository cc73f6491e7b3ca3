# Writes FILE: Loopscope's licence, and the notices of what its programs carry.
# A library's are those that its Debian package has; other systems' packagers add
# their own. Libraries are found by asking dpkg whose files they are, so that a
# notice belongs to the version that is linked.
#
#   cmake -DFILE=PATH -DLICENSE=PATH "-DTOOLS=PROGRAM;..." "-DSTATIC=FILE;..."
#     "-DNPM=FOLDER;..." ["-DSYSROOT=FOLDER"] -P Notices.cmake
#
# TOOLS bring the libraries that they load, all but the compiler's and libc's;
# STATIC are archives and headers that are compiled into them, and headers that
# are installed; NPM are folders of npm's packages. SYSROOT has packages of another
# processor, as tool/packages/sysroot.sh unpacks them.
cmake_minimum_required(VERSION 3.25)
file(READ "${LICENSE}" text)
set(text "Loopscope\n\n${text}")

file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${TOOLS}
  RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+)\\.so" "^ld-linux")
# The names of packages, and the folder that has their documents.
set(packages)
if(SYSROOT)
  file(READ ${SYSROOT}/owners owners)
endif()

# Sets owner to the package that PATH is from, as dpkg knows it, or the sysroot.
function(find_owner path)
  file(REAL_PATH "${path}" real)
  set(owner "" PARENT_SCOPE)
  if(SYSROOT)
    file(REAL_PATH "${SYSROOT}" root)
    cmake_path(IS_PREFIX root "${real}" inside)
    if(inside)
      cmake_path(RELATIVE_PATH real BASE_DIRECTORY "${root}")
      string(FIND "${owners}" "\n/${real} " at)
      if(at GREATER_EQUAL 0)
        string(SUBSTRING "${owners}" ${at} -1 line)
        string(REGEX MATCH " ([^ \n]+)\n" line "${line}")
        set(owner ${CMAKE_MATCH_1} PARENT_SCOPE)
      endif()
      return()
    endif()
  endif()
  # dpkg knows the file, or the name by which merged folders have it.
  string(REGEX REPLACE "^/usr/lib/" "/lib/" alias "${real}")
  foreach(name IN ITEMS "${real}" "${alias}")
    execute_process(COMMAND dpkg-query -S "${name}"
      OUTPUT_VARIABLE found ERROR_QUIET RESULT_VARIABLE failed)
    if(failed STREQUAL 0 AND found MATCHES "^([^:,\n]+)")
      set(owner ${CMAKE_MATCH_1} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets notice to the file that has PACKAGE's.
function(find_notice package)
  set(notice ${SYSROOT}/usr/share/doc/${package}/copyright)
  if(NOT SYSROOT OR NOT EXISTS ${notice})
    set(notice /usr/share/doc/${package}/copyright)
  endif()
  set(notice ${notice} PARENT_SCOPE)
endfunction()

foreach(path IN LISTS libraries STATIC)
  find_owner("${path}")
  find_notice("${owner}")
  if(owner AND EXISTS ${notice})
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
  find_notice(${package})
  file(SHA256 ${notice} sum)
  list(APPEND sums ${sum})
  list(APPEND packages_${sum} ${package})
endforeach()
list(REMOVE_DUPLICATES sums)
foreach(sum IN LISTS sums)
  list(GET packages_${sum} 0 package)
  find_notice(${package})
  file(READ ${notice} part)
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
