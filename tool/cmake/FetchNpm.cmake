# Packages of npm, fetched once when a build is configured.

# loopscope_fetch_npm(PACKAGE VERSION SHA256 FOLDER)
#
# Puts the package under FOLDER, unpacked, when npm is there and its archive has
# that checksum. Sets LOOPSCOPE_NPM_PROBLEM to why it isn't there, or to "".
function(loopscope_fetch_npm package version sha256 folder)
  set(LOOPSCOPE_NPM_PROBLEM "" PARENT_SCOPE)
  if(EXISTS ${folder}/package.json)
    return()
  endif()
  find_program(LOOPSCOPE_NPM npm)
  if(NOT LOOPSCOPE_NPM)
    set(LOOPSCOPE_NPM_PROBLEM "npm was not found" PARENT_SCOPE)
    return()
  endif()
  set(work ${folder}.fetch)
  file(REMOVE_RECURSE ${work})
  file(MAKE_DIRECTORY ${work})
  execute_process(
    COMMAND ${LOOPSCOPE_NPM} pack --silent ${package}@${version}
    WORKING_DIRECTORY ${work}
    TIMEOUT 120 OUTPUT_VARIABLE archive ERROR_VARIABLE problem RESULT_VARIABLE status
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0 OR NOT EXISTS ${work}/${archive})
    set(LOOPSCOPE_NPM_PROBLEM "npm could not fetch ${package}: ${problem}" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 ${work}/${archive} sum)
  if(NOT sum STREQUAL sha256)
    set(LOOPSCOPE_NPM_PROBLEM
      "checksum ${sum} of ${archive} is not the expected one" PARENT_SCOPE)
    return()
  endif()
  file(ARCHIVE_EXTRACT INPUT ${work}/${archive} DESTINATION ${work})
  get_filename_component(parent ${folder} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(RENAME ${work}/package ${folder})
  file(REMOVE_RECURSE ${work})
endfunction()
