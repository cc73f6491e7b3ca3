// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's global symbols, then the objects that are loaded; and the
// version, which LibTorch tells in the text about its build.

#include "library.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

using namespace loopscope::runtime;

// LibTorch's symbols. Weak ones are there where it is linked statically, and
// dlsym() doesn't see them then.
#define LOOPSCOPE_ADD_CALLBACK                                                 \
  "_ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE"
#define LOOPSCOPE_OPERATOR_NAME "_ZNK2at14RecordFunction4nameEv"
#define LOOPSCOPE_OPERATOR_IS_ASYNC "_ZNK2at14RecordFunction7isAsyncEv"
// at::show_config, by the ABI of std::string.
#define LOOPSCOPE_SHOW_CONFIG "_ZN2at11show_configB5cxx11Ev"
#define LOOPSCOPE_SHOW_CONFIG_OLD "_ZN2at11show_configEv"

extern "C" {
__attribute__((weak))
uint64_t loopscopeAddCallback(TorchCallback) __asm__(LOOPSCOPE_ADD_CALLBACK);
__attribute__((weak)) const char *
loopscopeOperatorName(const void *) __asm__(LOOPSCOPE_OPERATOR_NAME);
__attribute__((weak)) bool
loopscopeIsAsync(const void *) __asm__(LOOPSCOPE_OPERATOR_IS_ASYNC);
__attribute__((weak)) void loopscopeShowConfig() __asm__(LOOPSCOPE_SHOW_CONFIG);
}

namespace {
// The versions whose callback is known.
struct Version {
  unsigned Major, Minor;
};
constexpr Version Oldest = {1, 13};
constexpr Version Newest = {2, 15};

bool isOlder(Version One, Version Other) {
  return One.Major != Other.Major ? One.Major < Other.Major
                                  : One.Minor < Other.Minor;
}

// A std::string of either ABI, which both begin with the address of the text,
// and room for the larger. Comes back in memory, as a string does; the text is
// never freed.
struct AnyString {
  const char *Text;
  char Rest[56];
  ~AnyString() {} // NOLINT(modernize-use-equals-default): not trivial
};

// A function by its symbol, or one that is linked in.
template <typename Function>
bool find(void *Library, const char *Name, Function Linked, Function &Result) {
  Result = Linked != nullptr ? Linked
                             : reinterpret_cast<Function>(dlsym(Library, Name));
  return Result != nullptr;
}

// The last part of a path that is LibTorch's, of whatever version.
bool isTorch(const char *Path) {
  const char *Name = strrchr(Path, '/');
  Name = Name != nullptr ? Name + 1 : Path;
  return strncmp(Name, "libtorch_cpu.so", strlen("libtorch_cpu.so")) == 0;
}

int visitObject(dl_phdr_info *Info, size_t /*Size*/, void *Data) {
  if (Info->dlpi_name == nullptr || !isTorch(Info->dlpi_name))
    return 0;
  *static_cast<Text *>(Data) << Info->dlpi_name;
  return 1;
}

// What dlsym() finds LibTorch's symbols in. False where nothing of it is
// loaded.
bool openTorch(void *&Library) {
  Library = RTLD_DEFAULT;
  if (loopscopeAddCallback != nullptr ||
      dlsym(Library, LOOPSCOPE_ADD_CALLBACK) != nullptr)
    return true;
  // Not on the stack, which may be a thread's smallest. One thread looks.
  static char Room[4096];
  Text Path(Room, sizeof(Room));
  dl_iterate_phdr(visitObject, &Path);
  if (Path.size() == 0)
    return false;
  // Not closed again: threads keep our callbacks.
  Library = dlopen(Path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  return Library != nullptr;
}

bool parseNumber(const char *&At, unsigned &Result) {
  if (*At < '0' || *At > '9')
    return false;
  for (Result = 0; *At >= '0' && *At <= '9' && Result < 10000; ++At)
    Result = Result * 10 + static_cast<unsigned>(*At - '0');
  return true;
}

bool parseVersion(const char *Config, Version &Result) {
  constexpr const char *Key = "TORCH_VERSION=";
  const char *At = strstr(Config, Key);
  if (At == nullptr)
    return false;
  At += strlen(Key);
  if (!parseNumber(At, Result.Major) || *At != '.')
    return false;
  ++At;
  return parseNumber(At, Result.Minor);
}

bool findVersion(void *Library, Version &Result) {
  // Kept, so that a leak checker sees who has it.
  static const char *Config = nullptr;
  using Show = AnyString (*)();
  Show ShowConfig = nullptr;
  if (!find(Library, LOOPSCOPE_SHOW_CONFIG,
            reinterpret_cast<Show>(loopscopeShowConfig), ShowConfig) &&
      !find(Library, LOOPSCOPE_SHOW_CONFIG_OLD, Show(nullptr), ShowConfig))
    return false;
  AnyString Text = ShowConfig();
  Config = Text.Text;
  return Config != nullptr && parseVersion(Config, Result);
}
} // namespace

TorchSearch loopscope::runtime::findTorch(TorchLibrary &Result, Text &Why) {
  void *Library = nullptr;
  if (!openTorch(Library))
    return TorchSearch::NotLoaded;
  if (!find(Library, LOOPSCOPE_ADD_CALLBACK, loopscopeAddCallback,
            Result.AddGlobalCallback) ||
      !find(Library, LOOPSCOPE_OPERATOR_NAME, loopscopeOperatorName,
            Result.Name) ||
      !find(Library, LOOPSCOPE_OPERATOR_IS_ASYNC, loopscopeIsAsync,
            Result.IsAsync)) {
    Why << "this LibTorch lacks the functions that observe operators";
    return TorchSearch::Unusable;
  }
  Version Is = {};
  if (!findVersion(Library, Is)) {
    Why << "the version of this LibTorch is unknown";
    return TorchSearch::Unusable;
  }
  if (isOlder(Is, Oldest) || isOlder(Newest, Is)) {
    Why << "LibTorch " << int64_t(Is.Major) << '.' << int64_t(Is.Minor)
        << " isn't known; its operators are, from " << int64_t(Oldest.Major)
        << '.' << int64_t(Oldest.Minor) << " to " << int64_t(Newest.Major)
        << '.' << int64_t(Newest.Minor);
    return TorchSearch::Unusable;
  }
  Result.Major = Is.Major;
  Result.Minor = Is.Minor;
  return TorchSearch::Found;
}
