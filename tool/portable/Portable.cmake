# Programs and libraries that also run on systems older than the one where they
# are linked: with glibc from 2.28 on (RHEL 8, Debian 10, Ubuntu 20.04), and
# without the libraries that only we use, which become part of them.
#
# Sanitizers bring functions of their own, and other C libraries have no versions:
# there, all is linked as usual.

set(portable_directory ${CMAKE_CURRENT_LIST_DIR})
set(LOOPSCOPE_PORTABLE OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT LOOPSCOPE_SANITIZE AND
    CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|aarch64|arm64)$")
  # Empty libraries where glibc is 2.34 or newer, and full ones where it is older.
  set(LOOPSCOPE_OLD_LIBRARIES)
  foreach(name pthread.so.0 dl.so.2)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${name}
      OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(IS_ABSOLUTE "${path}")
      list(APPEND LOOPSCOPE_OLD_LIBRARIES ${path})
    endif()
  endforeach()
  list(LENGTH LOOPSCOPE_OLD_LIBRARIES found)
  if(found EQUAL 2)
    set(LOOPSCOPE_PORTABLE ON)
  endif()
endif()

# The C++ library's archive, which becomes part of programs where it is there.
if(LOOPSCOPE_PORTABLE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.a
    OUTPUT_VARIABLE LOOPSCOPE_STANDARD_LIBRARY OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

# Sets VARIABLE in the cache to the archive of library NAME, or else to whatever
# of it the linker takes.
function(loopscope_find_archive variable name)
  if(LOOPSCOPE_PORTABLE)
    find_library(${variable} NAMES lib${name}.a ${name} ${ARGN})
  else()
    find_library(${variable} NAMES ${name} ${ARGN})
  endif()
endfunction()

if(LOOPSCOPE_PORTABLE)
  # loopscope_old_threads and loopscope_old_programs, with their names.
  foreach(part threads programs)
    set(source ${portable_directory}/old_${part}.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} table)
    string(REGEX MATCHALL "\n(// )?(WRAP|OLD|OLD_FROM)\\([A-Z_]*,? ?[a-z0-9_]+" rows "${table}")
    string(REGEX REPLACE "[^;]*[( ]([a-z0-9_]+)" "LINKER:--wrap=\\1" names "${rows}")
    add_library(loopscope_old_${part} OBJECT ${source})
    set_target_properties(loopscope_old_${part} PROPERTIES LOOPSCOPE_WRAPS "${names}")
    target_compile_definitions(loopscope_old_${part} PRIVATE _GNU_SOURCE)
    target_compile_options(loopscope_old_${part} PRIVATE
      -O2 -ffunction-sections -fdata-sections -fvisibility=hidden -fno-exceptions)
    target_link_libraries(loopscope_old_${part} PRIVATE loopscope_options)
  endforeach()
endif()

# Makes TARGET, a program or a loadable library, portable.
function(loopscope_make_portable target)
  if(NOT LOOPSCOPE_PORTABLE)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  set(parts threads)
  if(type STREQUAL "EXECUTABLE")
    list(APPEND parts programs)
    if(IS_ABSOLUTE "${LOOPSCOPE_STANDARD_LIBRARY}")
      # A library that brings the system's libstdc++ uses that one.
      target_link_options(${target} PRIVATE -static-libstdc++ LINKER:--exclude-libs,libstdc++.a)
    endif()
  endif()
  foreach(part IN LISTS parts)
    get_target_property(names loopscope_old_${part} LOOPSCOPE_WRAPS)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:loopscope_old_${part}>)
    target_link_options(${target} PRIVATE ${names})
  endforeach()
  target_link_options(${target} PRIVATE LINKER:--gc-sections)
  # The libraries are for the loader: no name seems to need them.
  target_link_libraries(${target} PRIVATE
    -Wl,--push-state,--no-as-needed ${LOOPSCOPE_OLD_LIBRARIES} -Wl,--pop-state)
endfunction()
