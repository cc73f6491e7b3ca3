// Chooses the metrics of PM sampling with the host functions of a real CUPTI, most of which need no
// GPU: for each chip, prints what would be sampled in how many passes.
//
//   pm_metrics LIBRARY CHIP...     exits with 77 if this CUPTI needs a driver
#include "gpu/pm_sampler.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace loopscope::runtime;

namespace {
const char *Chip;
cupti::Result (*RealHost)(void *);
cupti::Result (*RealPasses)(void *);
size_t Passes;

cupti::Result works(void *) { return cupti::Success; }
cupti::Result chip(void *P) {
  static_cast<cupti::ChipName *>(P)->Name = Chip;
  return cupti::Success;
}
cupti::Result availability(void *P) {
  static_cast<cupti::Availability *>(P)->ImageSize = 8;
  return cupti::Success;
}
cupti::Result host(void *P) {
  static_cast<cupti::HostInitialize *>(P)->Availability = nullptr; // all are there
  return RealHost(P);
}
cupti::Result passes(void *P) {
  cupti::Result Code = RealPasses(P);
  Passes = static_cast<cupti::PassCount *>(P)->Passes;
  return Code;
}
cupti::Result refuses(void *) { return cupti::InsufficientPrivileges; }
} // namespace

int main(int Count, char **Words) {
  Cupti Api = {};
  void *Library = dlopen(Words[1], RTLD_NOW);
  if (Library == nullptr || strlen(Words[1]) >= sizeof(Api.Path))
    return 1;
  strcpy(Api.Path, Words[1]);
  auto Version = reinterpret_cast<cupti::Result (*)(uint32_t *)>(dlsym(Library, "cuptiGetVersion"));
  PmFunctions Functions;
  if (!Functions.find(Api))
    return 1;
  Api.GetResultString = reinterpret_cast<cupti::Result (*)(cupti::Result, const char **)>(
      dlsym(Library, "cuptiGetResultString"));
  if (Version(&Api.Version) != cupti::Success || Api.Version == 0)
    return 77;
  auto At = [&](PmCall Call) -> auto & { return Functions.Of[static_cast<uint32_t>(Call)]; };
  RealHost = At(PmCall::InitializeHost);
  RealPasses = At(PmCall::GetPasses);
  At(PmCall::Initialize) = works;
  At(PmCall::GetChipName) = chip;
  At(PmCall::GetAvailability) = availability;
  At(PmCall::InitializeHost) = host;
  At(PmCall::GetPasses) = passes;
  At(PmCall::Enable) = refuses;
  for (int I = 2; I < Count; ++I) {
    Chip = Words[I];
    PmSampler Sampler;
    Reason Why;
    Sampler.start(Functions, Api, 0, 500000, Why);
    printf("%s in %zu pass:", Chip, Passes);
    Passes = 0;
    static const char *const Names[] = {
#define NAME(NUMBER, IDENTIFIER, NAME, UNIT) NAME,
        LOOPSCOPE_GPU_USES(NAME)};
    for (uint32_t Use = 0; Use < DeviceUseCount; ++Use)
      if ((Sampler.uses() >> Use & 1) != 0)
        printf(" %s", Names[Use]);
    printf("\n");
  }
  return 0;
}
