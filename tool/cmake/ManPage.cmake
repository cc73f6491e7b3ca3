# Writes the manual page PAGE of a tool from its --help, and those of its
# subcommands.
#
#   cmake -DTOOL=PATH -DPAGE=FILE -DVERSION=0.1.0 ["-DEMULATOR=PROGRAM;..."] -P ManPage.cmake
#
# EMULATOR goes in front of a tool for another processor.
cmake_minimum_required(VERSION 3.25)
get_filename_component(name ${TOOL} NAME)
string(TOUPPER ${name} title)

# TEXT as lines that troff leaves as they are.
function(append_help heading)
  execute_process(COMMAND ${EMULATOR} ${TOOL} ${ARGN} --help
    OUTPUT_VARIABLE text RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${TOOL} ${ARGN} --help failed: ${failed}")
  endif()
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  string(APPEND page ".SH ${heading}\n.nf\n${text}.fi\n")
  set(page "${page}" PARENT_SCOPE)
  set(help "${text}" PARENT_SCOPE)
endfunction()

set(summary_loopscope "reports on the profiles of training loops")
set(summary_loopscope-rewrite "writes timers into annotated sources")
set(summary_loopscope-launch "compiles annotated sources with timers")
set(page ".TH ${title} 1 \"\" \"Loopscope ${VERSION}\"\n")
string(APPEND page ".SH NAME\n${name} \\- ${summary_${name}}\n")
append_help(DESCRIPTION)
string(REGEX MATCH "\nSubcommands:\n(  [^\n]*\n)+" listed "${help}")
string(REGEX MATCHALL "\n  [a-z]+" commands "${listed}")
foreach(command IN LISTS commands)
  string(STRIP "${command}" command)
  string(TOUPPER "${name} ${command}" heading)
  append_help("${heading}" ${command})
endforeach()
file(WRITE ${PAGE} "${page}")
