// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NCCL's configuration files: lines NAME=VALUE, which NCCL adds to the
// environment when it starts unless NAME is already set. If we set a variable
// first, we would displace a plug-in that the files name.

#include "nccl.h"

#include "base/memory.h"
#include "base/system.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
constexpr char Setting[] = "NCCL_PROFILER_PLUGIN=";
constexpr size_t MostBytes = 1U << 16; // bytes of a file that are read
constexpr size_t LongestName = 1024;   // NCCL's own limit
char Name[LongestName];

// Copies the plug-in's name from FILE, which is modified, to Name. False: there
// is none.
bool findIn(char *File) {
  for (char *Line = File; Line != nullptr && *Line != 0;) {
    char *End = strchr(Line, '\n');
    if (End != nullptr)
      *End = 0;
    if (strncmp(Line, Setting, sizeof(Setting) - 1) == 0) {
      const char *Value = Line + sizeof(Setting) - 1;
      size_t Length = strnlen(Value, sizeof(Name) - 1);
      if (Length != 0 && Value[Length - 1] == '\r')
        --Length;
      memcpy(Name, Value, Length);
      Name[Length] = 0;
      return true;
    }
    Line = End == nullptr ? nullptr : End + 1;
  }
  return false;
}
} // namespace

const char *nccl::configuredPlugin() {
  auto *File = static_cast<char *>(mapMemory(MostBytes));
  if (File == nullptr)
    return nullptr;
  TextBuffer<LongestName> Own;
  const char *Given = secure_getenv("NCCL_CONF_FILE"); // NOLINT
  const char *Home = secure_getenv("HOME");            // NOLINT
  if (Given != nullptr && *Given != 0)
    Own << Given;
  else if (Home != nullptr)
    Own << Home << "/.nccl.conf";
  const char *Paths[] = {Own.c_str(), "/etc/nccl.conf"};
  bool IsFound = false;
  for (const char *Path : Paths)
    if (!IsFound && readFile(Path, File, MostBytes) != 0)
      IsFound = findIn(File);
  munmap(File, MostBytes);
  return IsFound ? Name : nullptr;
}
