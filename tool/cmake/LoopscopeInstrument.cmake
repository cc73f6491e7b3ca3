# loopscope_instrument(TARGET [ON_ERROR fail|passthrough] [SELECT FILE]
#                      [FUNCTIONS [MIN_SIZE N] [FUNCTIONS_FROM PROFILE]]
#                      [TORCH] [NO_LINK])
#
# Compiles TARGET's C, C++ and CUDA sources through loopscope-launch, in front of
# compiler launchers that it has already (ccache), and links the runtime.
#
#   ON_ERROR fail         an annotation that can't be instrumented fails the
#                         build (default)
#   ON_ERROR passthrough  such a file is compiled without hooks, and the profile
#                         says that it is missing
#   SELECT FILE           annotates what FILE says, for code that can't be edited
#                         (docs/selection.md); relative to the source directory.
#                         A rule that matches nothing in all the targets that
#                         share FILE is a warning when they have been built
#   FUNCTIONS             function mode: times the functions of the sources too
#   MIN_SIZE N            the size below which FUNCTIONS leaves one out
#   FUNCTIONS_FROM PROFILE  leaves out what an earlier run shows to be small;
#                         relative to the source directory
#   TORCH                 has backward operators of LibTorch name their forward
#                         ones, and makes the shapes of inputs known: compiles a
#                         source of ours with the headers of
#                         find_package(Torch), which comes before
#   NO_LINK               don't link the runtime; something else brings it
#
# Calling it again for the same target replaces what it said before. Each
# instrumented object depends on loopscope-rewrite and on our headers: a newer
# Loopscope rebuilds it.
function(loopscope_instrument target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_LINK;FUNCTIONS;TORCH"
    "ON_ERROR;SELECT;MIN_SIZE;FUNCTIONS_FROM" "")
  set(values_of ON_ERROR SELECT MIN_SIZE FUNCTIONS_FROM)
  set(values_needed "fail or passthrough" "a file" "a number" "a profile")
  set(where "loopscope_instrument(${target})")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where}: unknown argument "
      "'${arg_UNPARSED_ARGUMENTS}'; known are ON_ERROR fail|passthrough, "
      "SELECT FILE, FUNCTIONS, MIN_SIZE N, FUNCTIONS_FROM PROFILE, TORCH and "
      "NO_LINK")
  endif()
  foreach(keyword needs IN ZIP_LISTS values_of values_needed)
    if("${keyword}" IN_LIST arg_KEYWORDS_MISSING_VALUES)
      message(FATAL_ERROR "${where}: ${keyword} needs ${needs}")
    endif()
  endforeach()
  if(NOT arg_ON_ERROR)
    set(arg_ON_ERROR fail)
  endif()
  if(NOT arg_ON_ERROR MATCHES "^(fail|passthrough)$")
    message(FATAL_ERROR "${where}: ON_ERROR is '${arg_ON_ERROR}'; it can be "
      "fail or passthrough")
  endif()
  if(DEFINED arg_MIN_SIZE AND NOT arg_MIN_SIZE MATCHES "^[0-9]+$")
    message(FATAL_ERROR "${where}: MIN_SIZE is '${arg_MIN_SIZE}'; it takes a "
      "number")
  endif()
  foreach(keyword MIN_SIZE FUNCTIONS_FROM)
    if(DEFINED arg_${keyword} AND NOT arg_FUNCTIONS)
      message(FATAL_ERROR "${where}: ${keyword} says what FUNCTIONS leaves out; "
        "give FUNCTIONS too")
    endif()
  endforeach()
  if(arg_FUNCTIONS_FROM)
    get_filename_component(arg_FUNCTIONS_FROM "${arg_FUNCTIONS_FROM}" ABSOLUTE)
    if(NOT EXISTS "${arg_FUNCTIONS_FROM}")
      message(FATAL_ERROR "${where}: FUNCTIONS_FROM: there is no file "
        "'${arg_FUNCTIONS_FROM}'")
    endif()
  endif()
  if(arg_SELECT)
    get_filename_component(arg_SELECT "${arg_SELECT}" ABSOLUTE)
    if(NOT EXISTS "${arg_SELECT}")
      message(FATAL_ERROR "${where}: SELECT: there is no file '${arg_SELECT}'")
    endif()
  endif()
  if(arg_TORCH AND NOT TARGET torch)
    message(FATAL_ERROR "${where}: TORCH compiles a source with LibTorch's "
      "headers, and there is no target 'torch' here; call "
      "find_package(Torch REQUIRED) before")
  endif()
  if(NOT Loopscope_HAS_REWRITER)
    message(FATAL_ERROR "${where}: this Loopscope was built without its rewriter "
      "(LOOPSCOPE_ENABLE_REWRITER=OFF), so it can't instrument; build it with "
      "LLVM 20 or newer, or call the runtime by hand and link "
      "Loopscope::runtime")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${where}: there is no target of that name; call it "
      "after add_executable or add_library")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  get_target_property(imported ${target} IMPORTED)
  get_target_property(type ${target} TYPE)
  if(imported)
    message(FATAL_ERROR "${where}: an imported target is compiled elsewhere; "
      "instrument it in the project that builds it")
  endif()
  if(NOT type MATCHES
      "^(EXECUTABLE|STATIC_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY|OBJECT_LIBRARY)$")
    message(FATAL_ERROR "${where}: a target of type ${type} has no sources to "
      "compile; instrument the targets that use it")
  endif()

  get_target_property(launch Loopscope::loopscope-launch LOCATION)
  set(words "${launch}" --on-error=${arg_ON_ERROR})
  if(arg_FUNCTIONS)
    list(APPEND words --functions)
  endif()
  if(DEFINED arg_MIN_SIZE)
    list(APPEND words --min-size=${arg_MIN_SIZE})
  endif()
  if(arg_FUNCTIONS_FROM)
    list(APPEND words "--functions-from=${arg_FUNCTIONS_FROM}")
  endif()
  if(arg_SELECT)
    string(SHA256 id "${arg_SELECT}")
    string(SUBSTRING "${id}" 0 12 id)
    set(record "${CMAKE_BINARY_DIR}/CMakeFiles/loopscope-rules/${id}")
    list(APPEND words "--select=${arg_SELECT}" "--record=${record}")
    _loopscope_check_rules(${target} "${launch}" "${arg_SELECT}" ${id}
      "${record}")
  endif()
  foreach(language C CXX CUDA)
    get_target_property(launchers ${target} ${language}_COMPILER_LAUNCHER)
    if(NOT launchers)
      set(launchers "")
    elseif("${launch}" IN_LIST launchers)
      # Ours and its options are the first ones.
      list(POP_FRONT launchers)
      while(launchers MATCHES "^--")
        list(POP_FRONT launchers)
      endwhile()
    endif()
    list(PREPEND launchers ${words})
    set_target_properties(${target} PROPERTIES
      ${language}_COMPILER_LAUNCHER "${launchers}")
  endforeach()

  _loopscope_check_marks(${target} "${launch}")
  get_target_property(headers Loopscope::runtime INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(${target} SYSTEM PRIVATE ${headers})
  get_target_property(linked ${target} LOOPSCOPE_LINKED)
  if(NOT arg_NO_LINK AND NOT linked)
    _loopscope_link(${target} ${type})
    set_target_properties(${target} PROPERTIES LOOPSCOPE_LINKED TRUE)
  endif()
  if(arg_TORCH AND NOT TARGET loopscope_torch_of_${target})
    _loopscope_add_torch_facts(${target} ${type} "${headers}")
  endif()
endfunction()

# Compiles torch_facts.cpp for TARGET as TARGET compiles its C++ sources, and
# puts the object into it, or into what links a static library: nothing refers
# to it, so it would stay in the archive. HEADERS are Loopscope's.
function(_loopscope_add_torch_facts target type headers)
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT CXX IN_LIST enabled)
    message(FATAL_ERROR "loopscope_instrument(${target}): TORCH needs the "
      "language CXX; enable it in project()")
  endif()
  set(facts loopscope_torch_of_${target})
  add_library(${facts} OBJECT
    "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/torch_facts.cpp")
  target_include_directories(${facts} SYSTEM PRIVATE ${headers})
  target_link_libraries(${facts} PRIVATE torch)
  separate_arguments(flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  # Optimised, so that it shares no copy of LibTorch's inline functions with
  # sources that are compiled with other assertions.
  target_compile_options(${facts} PRIVATE ${flags}
    $<TARGET_PROPERTY:${target},COMPILE_OPTIONS> -O2)
  target_compile_features(${facts} PRIVATE
    $<TARGET_PROPERTY:${target},COMPILE_FEATURES>)
  get_target_property(standard ${target} CXX_STANDARD)
  if(standard)
    set_target_properties(${facts} PROPERTIES CXX_STANDARD ${standard})
  else()
    target_compile_features(${facts} PRIVATE cxx_std_17)
  endif()
  set_target_properties(${facts} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    target_sources(${target} INTERFACE
      "$<BUILD_INTERFACE:$<TARGET_OBJECTS:${facts}>>")
  else()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${facts}>)
  endif()
endfunction()

# Links the runtime to TARGET. CMake refuses to mix target_link_libraries with
# PRIVATE and without it for one target, and only the project knows which one it
# uses; properties go with both. The words name files, not targets: those of
# find_package are known in the directories below the call only.
function(_loopscope_link target type)
  get_target_property(runtime Loopscope::runtime LOCATION)
  # The wrappers of MPI's functions stand before MPI, whenever that is linked.
  cmake_path(REPLACE_FILENAME runtime libloopscope-mpi-large.a OUTPUT_VARIABLE large)
  cmake_path(REPLACE_FILENAME runtime libloopscope-mpi.a OUTPUT_VARIABLE mpi)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if(NOT libraries)
    set(libraries)
  endif()
  set_property(TARGET ${target} PROPERTY LINK_LIBRARIES "${large}" "${mpi}" ${libraries})
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
    if(NOT libraries)
      set(libraries)
    endif()
    set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES
      "$<LINK_ONLY:${large}>" "$<LINK_ONLY:${mpi}>" ${libraries})
  endif()
  foreach(word "${runtime}" -lpthread -ldl)
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES "${word}")
    if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES
        "$<LINK_ONLY:${word}>")
    endif()
  endforeach()
  _loopscope_export_nccl(${target} ${type})
  # The wrappers of LibTorch's functions, where find_package(Torch) ran.
  if(TARGET torch)
    set(properties LINK_OPTIONS)
    if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
      set(properties INTERFACE_LINK_OPTIONS)
    endif()
    set_property(TARGET ${target} APPEND PROPERTY ${properties}
      "LINKER:--undefined=loopscope_gloo")
  endif()
endfunction()

# Lets NCCL find the runtime's profiler plug-in in TARGET, which it looks for by
# name in the program.
function(_loopscope_export_nccl target type)
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(linking)
  foreach(language CUDA C CXX)
    if(language IN_LIST enabled)
      set(linking ${language})
    endif()
  endforeach()
  include(CheckLinkerFlag)
  set(CMAKE_REQUIRED_QUIET TRUE)
  check_linker_flag(${linking} "LINKER:--export-dynamic-symbol=ncclProfiler_v6"
    Loopscope_EXPORTS_SYMBOLS)
  if(NOT Loopscope_EXPORTS_SYMBOLS)
    return()
  endif()
  set(properties LINK_OPTIONS)
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    set(properties INTERFACE_LINK_OPTIONS)
  endif()
  foreach(symbol ncclProfiler_v2 ncclProfiler_v3 ncclProfiler_v4
      ncclProfiler_v6 ncclGetVersion)
    set_property(TARGET ${target} APPEND PROPERTY ${properties}
      "LINKER:--export-dynamic-symbol=${symbol}")
  endforeach()
endfunction()

# Has the rules of SELECTION judged when all targets that it is for have been
# built, TARGET among them. RECORD is where their compiles say what they matched.
function(_loopscope_check_rules target launch selection id record)
  file(MAKE_DIRECTORY "${record}")
  set_target_properties(${target} PROPERTIES LOOPSCOPE_RULES ${id})
  get_property(targets GLOBAL PROPERTY LOOPSCOPE_RULES_${id})
  if(NOT target IN_LIST targets)
    set_property(GLOBAL APPEND PROPERTY LOOPSCOPE_RULES_${id} ${target})
  endif()
  if(NOT targets)
    cmake_language(EVAL CODE "cmake_language(DEFER
      DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL _loopscope_add_rules_target
      [[${launch}]] [[${selection}]] [[${id}]] [[${record}]])")
  endif()
endfunction()

# The target that prints the warnings, once all others are known.
function(_loopscope_add_rules_target launch selection id record)
  get_property(targets GLOBAL PROPERTY LOOPSCOPE_RULES_${id})
  set(built)
  set(files)
  foreach(target IN LISTS targets)
    # A second call may have given it another selection.
    get_target_property(now ${target} LOOPSCOPE_RULES)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    get_target_property(folder ${target} SOURCE_DIR)
    get_property(aside DIRECTORY "${folder}" PROPERTY EXCLUDE_FROM_ALL)
    if(NOT now STREQUAL id OR excluded OR aside)
      continue()
    endif()
    list(APPEND built ${target})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL OBJECT_LIBRARY)
      list(APPEND files $<TARGET_OBJECTS:${target}>)
    else()
      list(APPEND files ${target})
    endif()
  endforeach()
  if(NOT built)
    return()
  endif()
  add_custom_command(OUTPUT "${record}/judged"
    COMMAND "${launch}" "--summary=${record}" --rules
    COMMAND "${CMAKE_COMMAND}" -E touch "${record}/judged"
    DEPENDS ${files} "${selection}"
    COMMENT "Checking the rules of ${selection}" VERBATIM)
  add_custom_target(loopscope_rules_${id} ALL DEPENDS "${record}/judged")
  add_dependencies(loopscope_rules_${id} ${built})
endfunction()

# Has the instrumented targets, TARGET among them, checked for marks when all of
# them have been built: a run without any records nothing.
function(_loopscope_check_marks target launch)
  get_property(targets GLOBAL PROPERTY LOOPSCOPE_MARKS)
  if(NOT target IN_LIST targets)
    set_property(GLOBAL APPEND PROPERTY LOOPSCOPE_MARKS ${target})
  endif()
  if(NOT targets)
    cmake_language(EVAL CODE "cmake_language(DEFER
      DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL _loopscope_add_marks_target
      [[${launch}]])")
  endif()
endfunction()

# The target that prints the warning, once all others are known. Targets that
# aren't built by default may have the marks, so that nothing is said.
function(_loopscope_add_marks_target launch)
  get_property(targets GLOBAL PROPERTY LOOPSCOPE_MARKS)
  set(objects)
  set(folder "${CMAKE_BINARY_DIR}/CMakeFiles/loopscope-marks")
  foreach(target IN LISTS targets)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    get_target_property(source ${target} SOURCE_DIR)
    get_property(aside DIRECTORY "${source}" PROPERTY EXCLUDE_FROM_ALL)
    if(excluded OR aside)
      return()
    endif()
    list(APPEND objects "$<JOIN:$<TARGET_OBJECTS:${target}>,\n>")
  endforeach()
  list(JOIN objects "\n" objects)
  file(GENERATE OUTPUT "${folder}/objects-$<CONFIG>"
    CONTENT "${objects}\n")
  add_custom_command(OUTPUT "${folder}/checked"
    COMMAND "${launch}"
      "--check-marks=${folder}/objects-$<CONFIG>"
    COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/checked"
    DEPENDS ${targets} COMMENT "Checking for marks" VERBATIM)
  add_custom_target(loopscope_marks ALL DEPENDS "${folder}/checked")
  add_dependencies(loopscope_marks ${targets})
endfunction()
