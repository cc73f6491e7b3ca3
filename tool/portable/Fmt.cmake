# loopscope_fmt, which the tools link: an archive of fmt of the system, one that
# is made of its headers, or else its shared library.
find_package(fmt REQUIRED)
get_target_property(type fmt::fmt TYPE)
if(LOOPSCOPE_PORTABLE AND type STREQUAL "SHARED_LIBRARY" AND fmt_VERSION MATCHES "^9\\.")
  add_library(loopscope_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
  target_include_directories(loopscope_fmt SYSTEM
    PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
else()
  add_library(loopscope_fmt INTERFACE)
  target_link_libraries(loopscope_fmt INTERFACE fmt::fmt)
endif()
