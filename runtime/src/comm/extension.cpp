// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions for recording collectives that the core calls.

#include "extension.h"

#include "collectives.h"
#include "device_launches.h"
#include "mpi.h"
#include "nccl.h"
#include "on_device.h"
#include "own_steps.h"
#include "peers.h"
#include "summary.h"
#include "work.h"

#include "process/options.h"

using namespace loopscope::runtime;

namespace {
// auto or off.
bool parseWanted(const char *Value, const char *Word, bool &To, Text &Message) {
  constexpr const char *Names[] = {"auto", "off"};
  uint32_t Chosen = chooseValue(Value, Names, 2, Word, Message);
  To = Chosen == 0;
  return Chosen != 2;
}

bool parseMpi(char *Value, Options & /*Core*/, Text &Message) {
  return parseWanted(Value, "mpi", MpiWanted, Message);
}

bool parseNccl(char *Value, Options & /*Core*/, Text &Message) {
  return parseWanted(Value, "nccl", nccl::Wanted, Message);
}

bool parseGloo(char *Value, Options & /*Core*/, Text &Message) {
  return parseWanted(Value, "gloo", GlooWanted, Message);
}

// Takes one of three NAMES, in the order of T's values.
template <typename T>
bool parseOne(const char *Value, const char *const (&Names)[3],
              const char *Word, T &To, Text &Message) {
  uint32_t Chosen = chooseValue(Value, Names, 3, Word, Message);
  if (Chosen != 3)
    To = static_cast<T>(Chosen);
  return Chosen != 3;
}

bool parseKeep(char *Value, Options & /*Core*/, Text &Message) {
  static_assert(uint32_t(Keep::Merged) == 1 && uint32_t(Keep::Ranks) == 2);
  return parseOne(Value, {"all", "merged", "ranks"}, "keep", Merging.Keeps,
                  Message);
}

bool parseRanks(char *Value, Options & /*Core*/, Text &Message) {
  static_assert(uint32_t(MergedRanks::Summary) == 1 &&
                uint32_t(MergedRanks::All) == 2);
  return parseOne(Value, {"auto", "summary", "all"}, "ranks", Merging.Ranks,
                  Message);
}

bool parseMerged(char *Value, Options & /*Core*/, Text &Message) {
  return copyValue(Merging.Path, sizeof(Merging.Path), Value, "merged",
                   Message);
}

void start() {
  registerCollectives();
  registerPeers();
  registerMpi();
  registerOwnSteps();
  registerDeviceTimes();
  nccl::registerOperations();
  nccl::look();
}

// NCCL may be loaded late: look for it when time is spent anyway.
uint64_t lookAtNewPath(Node *N) {
  nccl::look();
  chooseSampledWait(N);
  return chooseCollective(N);
}

uint64_t beginMarked(Node *N, uint64_t Now) {
  uint64_t Taken =
      N->kind == LOOPSCOPE_KIND_COLLECTIVE ? beginCollective(N, Now) : 0;
  return Taken + beginSampledWait(N, Now + Taken);
}

uint64_t endMarked(Node *N, uint64_t Now) {
  uint64_t Taken = endSampledWait(N, Now);
  return N->kind == LOOPSCOPE_KIND_COLLECTIVE
             ? Taken + endCollective(N, Now + Taken)
             : Taken;
}

void endThread() {
  forgetWork();
  forgetSamples();
}

EntryPoint entry() { return reinterpret_cast<EntryPoint>(mpiServices); }

void reset() {
  resetCollectives();
  resetPeers();
  resetOwnSteps();
  resetDeviceTimes();
  nccl::resetAfterFork();
}

constexpr OptionWord Words[] = {
    {"mpi=auto|off", parseMpi},   {"nccl=auto|off", parseNccl},
    {"gloo=auto|off", parseGloo}, {"keep=all|merged|ranks", parseKeep},
    {"merged=PATH", parseMerged}, {"ranks=auto|summary|all", parseRanks}};
} // namespace

const Extension loopscope::runtime::CommExtension = {
    .Name = CommExtensionName,
    .CostKey = LOOPSCOPE_SUM_COST "comm",
    .Words = Words,
    .Start = start,
    .BeforeProfile = nccl::look,
    .ThreadEnded = endThread,
    .NewCallPath = lookAtNewPath,
    .CollectiveLeftOut = skipCollective,
    .StepEnded = sampleStep,
    .MarkedBegins = beginMarked,
    .MarkedEnded = endMarked,
    .AmountSaid = setBytes,
    .WantsKernel = isCommunicationKernel,
    .KernelLaunched = noteCommunication,
    .KernelRan = giveTime,
    .ChildOfFork = reset,
    .Stop = noticeUnseenMpi,
    .Entry = entry,
};
