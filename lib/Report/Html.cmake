# The HTML page: its parts are built into the library. The chart library comes
# from npm when the build is configured; without npm the rest builds, and
# `--format html` says why it can't.
set(LOOPSCOPE_ECHARTS_VERSION 6.1.0)
set(LOOPSCOPE_ECHARTS_SHA256
  b66b25aeb4df84e33199dc21694014d336d222cbd9deb0e5a7c14bd6aa0d0fd0)
set(html_dir ${CMAKE_BINARY_DIR}/html)
set(html_library ${html_dir}/echarts-${LOOPSCOPE_ECHARTS_VERSION}.min.js)

# Fetches the library once; leaves html_library empty when that is impossible.
function(loopscope_fetch_echarts)
  if(EXISTS ${html_library})
    return()
  endif()
  find_program(LOOPSCOPE_NPM npm)
  file(WRITE ${html_library}.part "")
  if(LOOPSCOPE_NPM)
    file(MAKE_DIRECTORY ${html_dir}/fetch)
    execute_process(
      COMMAND ${LOOPSCOPE_NPM} pack --silent echarts@${LOOPSCOPE_ECHARTS_VERSION}
      WORKING_DIRECTORY ${html_dir}/fetch
      TIMEOUT 120 OUTPUT_VARIABLE archive ERROR_VARIABLE problem RESULT_VARIABLE status
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(status EQUAL 0 AND EXISTS ${html_dir}/fetch/${archive})
      file(ARCHIVE_EXTRACT INPUT ${html_dir}/fetch/${archive}
        DESTINATION ${html_dir}/fetch PATTERNS package/dist/echarts.min.js)
      file(SHA256 ${html_dir}/fetch/package/dist/echarts.min.js sum)
      if(sum STREQUAL LOOPSCOPE_ECHARTS_SHA256)
        file(RENAME ${html_dir}/fetch/package/dist/echarts.min.js ${html_library})
        file(REMOVE ${html_library}.part)
        return()
      endif()
      set(problem "checksum ${sum} is not the expected one")
    endif()
  else()
    set(problem "npm was not found")
  endif()
  message(STATUS "No HTML page in this build: ${problem}")
endfunction()
loopscope_fetch_echarts()
if(NOT EXISTS ${html_library})
  set(html_library ${html_library}.part) # empty: printHtml says why
endif()

# Texts become bytes of the object file; the assembler reads them.
set(html_sources ${CMAKE_CURRENT_SOURCE_DIR}/html)
set(html_script ${html_dir}/page.js)
add_custom_command(OUTPUT ${html_script}
  COMMAND cat ${html_sources}/tables.js ${html_sources}/charts.js
    ${html_sources}/page.js > ${html_script}
  DEPENDS ${html_sources}/tables.js ${html_sources}/charts.js ${html_sources}/page.js
  VERBATIM)
configure_file(HtmlAssets.cpp.in ${html_dir}/HtmlAssets.cpp @ONLY)
set_source_files_properties(${html_dir}/HtmlAssets.cpp PROPERTIES
  OBJECT_DEPENDS
    "${html_sources}/page.html;${html_sources}/page.css;${html_script};${html_library}")
target_sources(LoopscopeReport PRIVATE
  ${html_dir}/HtmlAssets.cpp
  HtmlCommand.cpp
  HtmlPage.cpp
  HtmlProfile.cpp
  HtmlTimeline.cpp)
target_compile_definitions(LoopscopeReport PRIVATE
  LOOPSCOPE_VERSION="${PROJECT_VERSION}")
