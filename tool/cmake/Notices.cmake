# Writes FILE: the licence, and the notices of what the tools are linked with, as
# Debian's packages have them.
#
#   cmake -DFILE=PATH -DLICENSE=PATH -P Notices.cmake
file(READ "${LICENSE}" text)
set(text "Loopscope\n\n${text}")
foreach(package libfmt9 libfmt-dev libsimdjson14 libdeflate0 zlib1g libzstd1 libsqlite3-0 libcli11-dev
    nlohmann-json3-dev libllvm22 llvm-22-dev libclang-22-dev libstdc++6)
  set(notice /usr/share/doc/${package}/copyright)
  if(EXISTS ${notice})
    file(READ ${notice} part)
    string(APPEND text "\n\n${package}\n\n${part}")
  endif()
endforeach()
file(WRITE "${FILE}" "${text}")
