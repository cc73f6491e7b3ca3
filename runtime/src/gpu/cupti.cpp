// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds CUPTI, and signs that the program uses CUDA.

#include "cupti.h"

#include "cuda_folders.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

using namespace loopscope::runtime;

// Null unless the program links CUDA's runtime (shared or static) or its driver
// library.
extern "C" {
__attribute__((weak)) int cudaGetDeviceCount(int *);
__attribute__((weak)) int cuInit(unsigned);
__attribute__((weak)) void **__cudaRegisterFatBinary(void *); // NOLINT
}

namespace {
constexpr int OldestMajor = 12;
constexpr int NewestMajor = 13;
constexpr uint32_t FirstOf12 = 18;
constexpr uint32_t FirstOf13 = 130000;

// What the loaded objects show about CUDA.
struct Loaded {
  bool Any = false;
  bool Driver = false;
  int RuntimeMajor = 0; // of libcudart.so.N, 0 if it isn't loaded
};

int visitObject(dl_phdr_info *Info, size_t /*Size*/, void *Data) {
  auto &Result = *static_cast<Loaded *>(Data);
  const char *Slash = strrchr(Info->dlpi_name, '/');
  const char *Name = Slash == nullptr ? Info->dlpi_name : Slash + 1;
  if (strncmp(Name, "libcuda.so", 10) == 0)
    Result.Any = Result.Driver = true;
  if (strncmp(Name, "libcudart", 9) != 0)
    return 0;
  Result.Any = true;
  // "libcudart.so.13", or Python packages' "libcudart-d0da41ae.so.13.0.48".
  if (const char *Suffix = strstr(Name, ".so."))
    Result.RuntimeMajor = atoi(Suffix + 4); // NOLINT: 0 is a fine answer
  return 0;
}

Loaded look() {
  Loaded Result;
  dl_iterate_phdr(visitObject, &Result);
  return Result;
}

template <typename Function>
bool find(void *Library, const char *Name, Function &Result) {
  Result = reinterpret_cast<Function>(dlsym(Library, Name));
  return Result != nullptr;
}

// Finds all of them or none.
void findShared(void *Library, Cupti &C) {
  auto &S = C.Shared;
  if (!find(Library, "cuptiActivityRegisterCallbacks_v2",
            S.RegisterCallbacks) ||
      !find(Library, "cuptiActivitySetAttribute_v2", S.SetAttribute) ||
      !find(Library, "cuptiActivityEnable_v2", S.Enable) ||
      !find(Library, "cuptiActivityEnableAndDump_v2", S.EnableAndDump) ||
      !find(Library, "cuptiActivityDisable_v2", S.Disable) ||
      !find(Library, "cuptiActivityGetNextRecord_v2", S.GetNextRecord) ||
      !find(Library, "cuptiActivityGetNumDroppedRecords_v2", S.GetNumDropped))
    S = {};
}

bool findAll(void *Library, Cupti &C) {
  find(Library, "cuptiSubscribe_v2", C.SubscribeV2);
  findShared(Library, C);
  find(Library, "cuptiActivityEnableAndDump", C.EnableAndDump);
  find(Library, "cuptiActivityGetAttribute", C.GetAttribute);
  find(Library, "cuptiActivitySetAttribute", C.SetAttribute);
  find(Library, "cuptiFinalize", C.Finalize);
  find(Library, "cuptiGetContextId", C.GetContextId);
  find(Library, "cuptiGetDeviceId", C.GetDeviceId);
  find(Library, "cuptiGetGraphNodeId", C.GetGraphNodeId);
  return find(Library, "cuptiGetVersion", C.GetVersion) &&
         find(Library, "cuptiGetResultString", C.GetResultString) &&
         find(Library, "cuptiSubscribe", C.Subscribe) &&
         find(Library, "cuptiUnsubscribe", C.Unsubscribe) &&
         find(Library, "cuptiEnableCallback", C.EnableCallback) &&
         find(Library, "cuptiEnableDomain", C.EnableDomain) &&
         find(Library, "cuptiGetCallbackName", C.GetCallbackName) &&
         find(Library, "cuptiActivityRegisterCallbacks", C.RegisterCallbacks) &&
         find(Library, "cuptiActivityRegisterTimestampCallback",
              C.RegisterTimestampCallback) &&
         find(Library, "cuptiActivityEnable", C.Enable) &&
         find(Library, "cuptiActivityDisable", C.Disable) &&
         find(Library, "cuptiActivityGetNextRecord", C.GetNextRecord) &&
         find(Library, "cuptiActivityGetNumDroppedRecords", C.GetNumDropped) &&
         find(Library, "cuptiActivityFlushAll", C.FlushAll);
}

// The path of the object that contains ADDRESS.
void pathOf(const void *Address, char *Path, size_t Size) {
  Dl_info Info{};
  if (dladdr(Address, &Info) != 0 && Info.dli_fname != nullptr)
    copyTail(Path, Size, Info.dli_fname);
}

// One search, and the message if it finds nothing.
struct Attempt {
  int Wanted; // major version; 0: any
  Cupti &Found;
  Text &Why;

  // Accepts LIBRARY, which stays loaded, if it is usable.
  bool take(void *Library, const char *Name) {
    if (!findAll(Library, Found)) {
      Why << Name << " lacks functions of CUPTI 12 and 13; ";
    } else if (Found.GetVersion(&Found.Version) != cupti::Success) {
      Why << Name << " doesn't report its version; ";
    } else {
      int Major = cudaMajorOf(Found.Version);
      if (Major >= OldestMajor && Major <= NewestMajor &&
          (Wanted == 0 || Major == Wanted)) {
        pathOf(reinterpret_cast<const void *>(Found.GetVersion), Found.Path,
               sizeof(Found.Path));
        return true;
      }
      Why << Name << " is CUPTI of CUDA " << int64_t(Major) << ", ";
      if (Major > NewestMajor || Major < OldestMajor)
        Why << "and this runtime supports 12 and 13; ";
      else
        Why << "and the program's CUDA is " << int64_t(Wanted) << "; ";
    }
    dlclose(Library);
    return false;
  }

  bool open(const char *Name, int Flags) {
    // The user asked for the library in the environment variable.
    void *Library = dlopen(Name, RTLD_NOW | RTLD_LOCAL | Flags); // NOLINT
    return Library != nullptr && take(Library, Name);
  }

  // Tries CUPTI's file names, best first, in FOLDER ("": as a bare name).
  bool openNames(const char *Folder, int Flags) {
    for (int Major = NewestMajor; Major >= OldestMajor; --Major) {
      if (Wanted != 0 && Major != Wanted)
        continue;
      TextBuffer<1024> Name;
      Name << Folder << "libcupti.so." << int64_t(Major);
      if ((*Folder == 0 || access(Name.c_str(), R_OK) == 0) &&
          open(Name.c_str(), Flags))
        return true;
    }
    TextBuffer<1024> Name;
    Name << Folder << "libcupti.so";
    return (*Folder == 0 || access(Name.c_str(), R_OK) == 0) &&
           open(Name.c_str(), Flags);
  }

  bool openToolkit(const char *Root) {
    static constexpr const char *Folders[] = {"/extras/CUPTI/lib64/", "/lib64/",
                                              "/lib/"};
    for (const char *Folder : Folders)
      if (openFolder(Root, Folder))
        return true;
    for (const char *Folder : CudaFolders)
      if (openFolder(Root, Folder))
        return true;
    return false;
  }

  bool openFolder(const char *Root, const char *Folder) {
    TextBuffer<1024> Path;
    Path << Root << Folder;
    return !Path.isCut() && openNames(Path.c_str(), 0);
  }
};
} // namespace

int loopscope::runtime::cudaMajorOf(uint32_t CuptiVersion) {
  if (CuptiVersion >= FirstOf13)
    return static_cast<int>(CuptiVersion / 10000);
  return CuptiVersion >= FirstOf12 ? 12 : 11;
}

bool loopscope::runtime::usesCuda() {
  return cudaGetDeviceCount != nullptr || cuInit != nullptr ||
         __cudaRegisterFatBinary != nullptr || look().Any;
}

bool loopscope::runtime::hasLoadedDriver() { return look().Driver; }

bool loopscope::runtime::hasStartedDriver() {
  constexpr int CudaNotInitialized = 3;
  void *Driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  // If it can't be asked, assume that it has started.
  if (Driver == nullptr)
    return true;
  int (*GetCurrent)(void **) = nullptr;
  void *Context = nullptr;
  bool Result = !find(Driver, "cuCtxGetCurrent", GetCurrent) ||
                GetCurrent(&Context) != CudaNotInitialized;
  dlclose(Driver);
  return Result;
}

bool loopscope::runtime::hasDriver() {
  void *Driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (Driver != nullptr)
    dlclose(Driver);
  return Driver != nullptr;
}

Search loopscope::runtime::loadCupti(Cupti &Result, Text &Why) {
  int Major = look().RuntimeMajor;
  Attempt All = {Major >= OldestMajor ? Major : 0, Result, Why};
  if (All.openNames("", RTLD_NOLOAD))
    return Search::Loaded;
  if (const char *Given = secure_getenv("LOOPSCOPE_CUPTI"); // NOLINT
      Given != nullptr && *Given != 0) {
    if (All.open(Given, 0))
      return Search::Loaded;
    if (Why.size() == 0)
      Why << "LOOPSCOPE_CUPTI=" << Given << " cannot be loaded; ";
    Why << "correct LOOPSCOPE_CUPTI";
    return Search::Failed;
  }
  static constexpr const char *Variables[] = {"CUDA_HOME", "CUDA_PATH"};
  for (const char *Variable : Variables)
    if (const char *Root = secure_getenv(Variable); // NOLINT
        Root != nullptr && *Root != 0 && All.openToolkit(Root))
      return Search::Loaded;
  if (All.openToolkit("/usr/local/cuda") || All.openNames("", 0))
    return Search::Loaded;
  if (Why.size() == 0) {
    if (!hasDriver())
      return Search::NoDriver;
    Why << "no libcupti.so was found; ";
  }
  Why << "install CUPTI of the CUDA toolkit or name it in LOOPSCOPE_CUPTI";
  return Search::Failed;
}
