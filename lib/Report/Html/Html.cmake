# The HTML page: its parts are built into the library. The chart library comes
# from npm when the build is configured; without npm the rest builds, and
# `--format html` says why it can't.
include(${PROJECT_SOURCE_DIR}/tool/cmake/FetchNpm.cmake)
set(html_dir ${CMAKE_BINARY_DIR}/html)
loopscope_fetch_npm(echarts 6.1.0
  681aff88cc1038c3fa941a3a53d1b177a52250b05335efc607d6105ae13be481
  ${html_dir}/node_modules/echarts)
set(html_library ${html_dir}/node_modules/echarts/dist/echarts.min.js)
if(LOOPSCOPE_NPM_PROBLEM)
  message(STATUS "No HTML page in this build: ${LOOPSCOPE_NPM_PROBLEM}")
  set(html_library ${html_dir}/none.js) # empty: printHtml says why
  file(WRITE ${html_library} "")
else()
  # For its licence: the chart library has it inside, without the text.
  loopscope_fetch_npm(zrender 6.1.0
    38f2fb722a638be016ca0175b139c40c886ef47fc2afdb741b2e7e7ae9683f9c
    ${html_dir}/node_modules/zrender)
endif()

# Texts become bytes of the object file; the assembler reads them.
set(html_sources ${CMAKE_CURRENT_SOURCE_DIR}/Html/page)
# In this order: what a file uses at its top comes before it.
set(html_scripts)
foreach(name dom units names colours state model charts whiskers tables tree tabs head answer
    waterfall part history steps source icicle diff-icicle overlaid strip key-times keys roofline ranks spans served lane-boxes lanes timeline page)
  list(APPEND html_scripts ${html_sources}/${name}.js)
endforeach()
set(html_script ${html_dir}/page.js)
add_custom_command(OUTPUT ${html_script}
  COMMAND cat ${html_scripts} > ${html_script}
  DEPENDS ${html_scripts}
  VERBATIM)
configure_file(Html/HtmlAssets.cpp.in ${html_dir}/HtmlAssets.cpp @ONLY)
set_source_files_properties(${html_dir}/HtmlAssets.cpp PROPERTIES
  OBJECT_DEPENDS
    "${html_sources}/page.html;${html_sources}/page.css;${html_script};${html_library}")
target_sources(LoopscopeReport PRIVATE
  ${html_dir}/HtmlAssets.cpp
  Html/HtmlAnswer.cpp
  Html/HtmlComparison.cpp
  Html/HtmlHistory.cpp
  Html/HtmlJson.cpp
  Html/HtmlKeys.cpp
  Html/HtmlKeysJson.cpp
  Html/HtmlPage.cpp
  Html/HtmlParts.cpp
  Html/HtmlRoofline.cpp
  Html/HtmlRun.cpp
  Html/HtmlSpans.cpp
  Html/HtmlSource.cpp
  Html/HtmlSourceJson.cpp
  Html/HtmlSamples.cpp
  Html/HtmlStacks.cpp
  Html/HtmlSteps.cpp
  Html/HtmlLanes.cpp
  Html/HtmlTimeline.cpp
  Html/HtmlTimelineDetail.cpp
  Html/HtmlTimelineJson.cpp
  Html/HtmlTrackSpans.cpp
  Html/HtmlTree.cpp)
target_compile_definitions(LoopscopeReport PRIVATE
  LOOPSCOPE_VERSION="${PROJECT_VERSION}")
