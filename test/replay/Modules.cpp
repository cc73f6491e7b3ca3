// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules: one page of names each, which is unreadable while no module uses it.

#include "Modules.h"

#include "Cupti.h"
#include "Nvcc.h"
#include "fake_cuda.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <set>
#include <sys/mman.h>

using namespace replay;
namespace cupti = loopscope::runtime::cupti;

struct ReplayModule {
  char *Names;
  size_t Used = 0;
};

namespace {
constexpr size_t PageBytes = 4096;
constexpr size_t MostModules = 64; // at once
std::mutex Mutex;
char *Pages = nullptr;
bool IsLoaded[MostModules];

bool liesInModules(const char *Name) {
  return Pages != nullptr && reinterpret_cast<uintptr_t>(Name) -
                                     reinterpret_cast<uintptr_t>(Pages) <
                                 MostModules * PageBytes;
}
} // namespace

const char *replay::keepName(const std::string &Text) {
  static std::mutex KeepMutex;
  static auto &All = *new std::set<std::string>; // used during exit
  std::lock_guard Lock(KeepMutex);
  return All.insert(Text).first->c_str();
}

const char *replay::symbolOf(const void *Function) {
  const char *Name = kernelName(Function);
  return liesInModules(Name) ? Name : keepName(Name);
}

extern "C" {
int cuModuleLoadData(CUmodule *Module, const void * /*Image*/) {
  ApiCall Api(cupti::Driver, "cuModuleLoadData");
  std::lock_guard Lock(Mutex);
  if (Pages == nullptr)
    Pages =
        static_cast<char *>(mmap(nullptr, MostModules * PageBytes, PROT_NONE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  bool *Free = std::find(IsLoaded, IsLoaded + MostModules, false);
  char *Names = Pages + (Free - IsLoaded) * PageBytes;
  *Free = true;
  mprotect(Names, PageBytes, PROT_READ | PROT_WRITE);
  *Module = new ReplayModule{Names};
  return cudaSuccess;
}

int cuModuleGetFunction(CUfunction *Function, CUmodule Module,
                        const char *Name) {
  ApiCall Api(cupti::Driver, "cuModuleGetFunction");
  *Function = std::strcpy(Module->Names + Module->Used, Name);
  Module->Used += std::strlen(Name) + 1;
  return cudaSuccess;
}

int cuModuleUnload(CUmodule Module) {
  ApiCall Api(cupti::Driver, "cuModuleUnload");
  fireResource(cupti::ModuleUnloads);
  std::lock_guard Lock(Mutex);
  mprotect(Module->Names, PageBytes, PROT_NONE);
  IsLoaded[(Module->Names - Pages) / PageBytes] = false;
  delete Module;
  return cudaSuccess;
}
}
