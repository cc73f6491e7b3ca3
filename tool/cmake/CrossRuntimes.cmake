# The runtimes of other processors, for cross builds: loopscope-launch links the
# one that the compiler's target asks for.
include(ExternalProject)

set(cross_default "")
if(LOOPSCOPE_ENABLE_TESTS AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  find_program(LOOPSCOPE_AARCH64_CXX aarch64-linux-gnu-g++)
  mark_as_advanced(LOOPSCOPE_AARCH64_CXX)
  if(LOOPSCOPE_AARCH64_CXX)
    set(cross_default aarch64)
  endif()
endif()
set(LOOPSCOPE_CROSS_RUNTIMES "${cross_default}" CACHE STRING
  "Other processors whose runtimes are built, too (aarch64, x86_64); needs their cross compilers")

foreach(processor IN LISTS LOOPSCOPE_CROSS_RUNTIMES)
  set(folder ${CMAKE_BINARY_DIR}/cross/${processor})
  set(place ${CMAKE_BINARY_DIR}/lib/loopscope/${processor})
  ExternalProject_Add(runtime_${processor}
    PREFIX ${folder}
    SOURCE_DIR ${PROJECT_SOURCE_DIR}
    BINARY_DIR ${folder}/build
    CMAKE_ARGS
      -DCMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/tool/cmake/${processor}-linux-gnu.cmake
      -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -DLOOPSCOPE_RUNTIME_ONLY=ON
    BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR> --target loopscope_runtime loopscope_off
    BUILD_ALWAYS ON
    INSTALL_COMMAND ${CMAKE_COMMAND} -E make_directory ${place}
    COMMAND sh -c "exec cp -up <BINARY_DIR>/lib/*.a \"$0\"" ${place})
  install(DIRECTORY ${place} DESTINATION ${LOOPSCOPE_PRIVATE_LIBDIR})
endforeach()
