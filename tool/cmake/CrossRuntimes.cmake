# The runtimes of other processors, for cross builds: loopscope-launch links the
# one that the compiler's target asks for.
include(ExternalProject)

set(LOOPSCOPE_CROSS_RUNTIMES "" CACHE STRING
  "Other processors whose runtimes are built, too (aarch64); needs their cross compilers")

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
