# loopscope_instrument(TARGET [ON_ERROR fail|passthrough] [NO_LINK])
#
# Compiles TARGET's C, C++ and CUDA sources through loopscope-launch, in front of
# compiler launchers that it has already (ccache), and links the runtime.
#
#   ON_ERROR fail         an annotation that can't be instrumented fails the
#                         build (default)
#   ON_ERROR passthrough  such a file is compiled without hooks, and the profile
#                         says that it is missing
#   NO_LINK               don't link the runtime; something else brings it
#
# Calling it again for the same target changes nothing but ON_ERROR. Each
# instrumented object depends on loopscope-rewrite and on our headers: a newer
# Loopscope rebuilds it.
function(loopscope_instrument target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_LINK" "ON_ERROR" "")
  set(where "loopscope_instrument(${target})")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where}: unknown argument "
      "'${arg_UNPARSED_ARGUMENTS}'; known are ON_ERROR fail|passthrough and "
      "NO_LINK")
  endif()
  if("ON_ERROR" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${where}: ON_ERROR needs fail or passthrough")
  endif()
  if(NOT arg_ON_ERROR)
    set(arg_ON_ERROR fail)
  endif()
  if(NOT arg_ON_ERROR MATCHES "^(fail|passthrough)$")
    message(FATAL_ERROR "${where}: ON_ERROR is '${arg_ON_ERROR}'; it can be "
      "fail or passthrough")
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
  foreach(language C CXX CUDA)
    get_target_property(launchers ${target} ${language}_COMPILER_LAUNCHER)
    if(NOT launchers)
      set(launchers "")
    elseif("${launch}" IN_LIST launchers)
      # Ours and its option are the first two.
      list(REMOVE_AT launchers 0 1)
    endif()
    list(PREPEND launchers "${launch}" --on-error=${arg_ON_ERROR})
    set_target_properties(${target} PROPERTIES
      ${language}_COMPILER_LAUNCHER "${launchers}")
  endforeach()

  get_target_property(linked ${target} LOOPSCOPE_LINKED)
  if(NOT arg_NO_LINK AND NOT linked)
    target_link_libraries(${target} PRIVATE Loopscope::runtime)
    set_target_properties(${target} PROPERTIES LOOPSCOPE_LINKED TRUE)
  elseif(arg_NO_LINK)
    target_include_directories(${target} PRIVATE
      $<TARGET_PROPERTY:Loopscope::runtime,INTERFACE_INCLUDE_DIRECTORIES>)
  endif()
endfunction()
