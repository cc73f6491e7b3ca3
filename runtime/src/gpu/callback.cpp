// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's callbacks for CUDA calls, on the threads that make them: record which
// phase launched what, and the host's time in calls. No locks and no allocation
// after the first call.

#include "base/clock.h"
#include "base/thread_memory.h"
#include "extension.h"
#include "process/attach.h"
#include "profile/counts.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "session_state.h"
#include "tree/costs.h"
#include "tree/extension.h"
#include "tree/own_tree.h"
#include "tree/schedule.h"
#include "tree/slow_path.h"
#include "tree/threads.h"

#include <loopscope/profile_counters.h>

#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
// The outermost CUDA call of the thread. A runtime call includes the driver
// calls inside it.
struct OpenCall {
  uint32_t Correlation; // 0: none
  uint32_t Domain;
  uint32_t Charged; // node charged with its device work
  int32_t Tid;
  uint64_t Start;
  KernelName Name;
  uint64_t Cost; // ticks that callbacks inside it took, not booked yet
  Node *Own;     // the thread's innermost node; null without a tree
  bool Foreign;
  bool MadeNode; // the node of a graph: it was captured
};
LOOPSCOPE_PER_THREAD(OpenCall, Open);

// The calling thread's tree. The main thread gets one even before its first
// phase, so that work before the first phase and after the last is charged
// alike. Other threads also get one while nothing stands in for it.
Thread *treeOfCaller() {
  if (ownTree() != nullptr)
    return ownTree();
  bool IsMain = syscall(SYS_gettid) == getpid();
  if (!IsMain && standInNode() != LOOPSCOPE_NONE)
    return nullptr;
  SlowPath Path;
  return Path ? attachThread() : nullptr;
}

// Chooses the node to charge with the calling thread's device work.
void choosePlace(OpenCall &Call) {
  Thread *T = treeOfCaller();
  Call.Own = T == nullptr ? nullptr : links(T).Current;
  Call.Foreign = false;
  Call.Charged = Call.Own == nullptr ? LOOPSCOPE_NONE : Call.Own->index;
  if (Call.Own != nullptr && links(Call.Own).Parent != nullptr)
    return;
  if (T != nullptr && T->is_main != 0)
    return;
  uint32_t StandIn = standInNode();
  Call.Foreign = StandIn != LOOPSCOPE_NONE;
  Call.Charged = Call.Foreign ? StandIn : Call.Charged;
}

// Books the callbacks' own time as the profiler's cost, in the self time of the
// calling thread's innermost node.
void addCost(const GpuSession &S, uint64_t Ticks) {
  loopscope_profile_header *Profile =
      __atomic_load_n(&Header, __ATOMIC_ACQUIRE);
  if (Profile == nullptr)
    return;
  __atomic_fetch_add(&Profile->gpu_cost_ticks, Ticks, __ATOMIC_RELAXED);
  if (ownTree() != nullptr)
    bookCost(S.Cost, links(ownTree()).Current, Ticks);
}

// The index + 1 of a call's name; made at its first event.
uint32_t callFunction(GpuSession &S, uint32_t Domain, uint32_t Id,
                      const char *Name) {
  if (Id >= GpuSession::MaxCalls)
    return 0;
  uint32_t &Known = S.CallFunctions[Domain - 1][Id];
  uint32_t Function = __atomic_load_n(&Known, __ATOMIC_ACQUIRE);
  if (Function != 0 || Name == nullptr)
    return Function;
  SlowPath Path;
  if (!Path)
    return 0;
  Function = S.Store.addCall(Name, plainNameLength(Name)) + 1;
  __atomic_store_n(&Known, Function, __ATOMIC_RELEASE);
  return Function;
}

void noteEvent(GpuSession &S, const OpenCall &Call, CallClass Class,
               uint32_t Id, const char *Name, uint64_t End) {
  loopscope_gpu_event E = {};
  E.start_ticks = Call.Start;
  E.end_ticks = End;
  E.kind = Class == CallClass::Launch ? LOOPSCOPE_GPU_LAUNCH_CALL
           : Class == CallClass::Wait ? LOOPSCOPE_GPU_WAIT_CALL
                                      : LOOPSCOPE_GPU_OTHER_CALL;
  E.node = Call.Own == nullptr ? LOOPSCOPE_NONE : Call.Own->index;
  E.function = callFunction(S, Call.Domain, Id, Name) - 1;
  E.device = LOOPSCOPE_NONE;
  E.correlation = Call.Correlation;
  E.thread = ownTree() == nullptr ? LOOPSCOPE_NONE : ownTree()->index;
  E.occupancy = -1;
  E.tid = static_cast<uint32_t>(Call.Tid);
  E.callback = Call.Domain << 24 | Id;
  S.Ring->add(E);
}

// Adds a finished call to the node that made it.
void addHostTime(Node *N, CallClass Class, uint64_t Ticks) {
  if (Class == CallClass::Launch) {
    ++N->gpu_launches;
    N->gpu_launch_ticks += Ticks;
  } else if (Class == CallClass::Wait) {
    ++N->gpu_waits;
    N->gpu_wait_ticks += Ticks;
  } else {
    ++N->gpu_calls;
    N->gpu_call_ticks += Ticks;
  }
}

// The kernel that a call launches, or 0.
[[gnu::always_inline]] inline KernelName
kernelOf(GpuSession &S, RecordsOfCall Brings, const cupti::CallbackData &Data) {
  return Brings == RecordsOfCall::Kernel && Data.SymbolName != nullptr
             ? S.Names.note(Data.SymbolName)
             : KernelName(0);
}

void noteWait(GpuSession &S, const WaitEvent &Event) {
  S.Waits.push(Event);
  if (S.Waits.isShort())
    wakeCollector();
}

// A call inside the open one, with its own id.
[[gnu::noinline]] void enterInnerCall(GpuSession &S, CallClass Class,
                                      RecordsOfCall Brings,
                                      const cupti::CallbackData &Data) {
  KernelName Name = kernelOf(S, Brings, Data);
  bool Communicates = S.Names.communicates(Name);
  S.Calls.begin(Data.CorrelationId, Open->Charged, Open->Start,
                RecordsOfCall::None, Class == CallClass::Wait,
                Open->Correlation, Name, Communicates);
  if (Communicates)
    callExtensions(&Extension::KernelLaunched, Data.CorrelationId);
}

void enterCall(GpuSession &S, uint32_t Domain, uint32_t Id, CallClass Class,
               const cupti::CallbackData &Data, uint64_t Now) {
  OpenCall &Call = *Open;
  RecordsOfCall Brings = Id < GpuSession::MaxCalls ? S.Records[Domain - 1][Id]
                                                   : RecordsOfCall::None;
  if (Call.Correlation != 0 && Call.Domain == cupti::Runtime &&
      Domain == cupti::Driver) {
    if (Call.Correlation != Data.CorrelationId &&
        Brings != RecordsOfCall::Never)
      enterInnerCall(S, Class, Brings, Data);
    return;
  }
  choosePlace(Call);
  if (Call.Tid == 0)
    Call.Tid = static_cast<int32_t>(syscall(SYS_gettid));
  Call.Correlation = Data.CorrelationId;
  Call.Domain = Domain;
  Call.Start = Now;
  Call.MadeNode = false;
  Call.Name = kernelOf(S, Brings, Data);
  bool Communicates = S.Names.communicates(Call.Name);
  if (Brings != RecordsOfCall::Never)
    S.Calls.begin(Data.CorrelationId, Call.Charged, Now, Brings,
                  Class == CallClass::Wait, 0, Call.Name, Communicates);
  if (Communicates)
    callExtensions(&Extension::KernelLaunched, Data.CorrelationId);
  if (Class == CallClass::Wait && Call.Own != nullptr)
    noteWait(S, {static_cast<uint32_t>(Call.Tid), Call.Own->index, Now, 0});
}

// A call that failed, or was captured for a graph, put no work on a device.
bool hadNoWork(const cupti::CallbackData &Data) {
  const auto *Result = static_cast<const int32_t *>(Data.ReturnValue);
  return (Result != nullptr && *Result != 0) || Open->MadeNode;
}

// Follows captures and windows, from outermost calls only. What a window's call
// returns doesn't matter: without another tool, the driver may say that there
// is no profiler.
void noteBorder(GpuSession &S, uint32_t Domain, uint32_t Id,
                const cupti::CallbackData &Data) {
  BorderOfCall What = Id < GpuSession::MaxCalls ? S.Borders[Domain - 1][Id]
                                                : BorderOfCall::None;
  if (What == BorderOfCall::None)
    return;
  const auto *Result = static_cast<const int32_t *>(Data.ReturnValue);
  if (What == BorderOfCall::HasNoRecord) {
    if (Result != nullptr && *Result == 0 && Data.FunctionName != nullptr)
      countUnrecorded(Data.FunctionName);
    return;
  }
  if (What == BorderOfCall::CaptureBegins && Result != nullptr && *Result == 0)
    callExtensions(&Extension::CaptureBegins);
  // An invalidated capture has ended, too.
  if (What == BorderOfCall::CaptureEnds)
    callExtensions(&Extension::CaptureEnds);
  if (!GpuSettings.StepsByProfiler)
    return;
  if (What == BorderOfCall::WindowOpens) {
    setStepGate(StepGate::Open);
    __atomic_store_n(&S.HadWindow, true, __ATOMIC_RELAXED);
  } else if (What == BorderOfCall::WindowCloses) {
    setStepGate(StepGate::Closed);
  }
}

void leaveCall(GpuSession &S, uint32_t Domain, uint32_t Id, CallClass Class,
               const cupti::CallbackData &Data, uint64_t Now) {
  OpenCall &Call = *Open;
  bool IsInside = Call.Correlation != Data.CorrelationId ||
                  Call.Domain != Domain; // or it began before collection
  bool HadNoWork = !IsInside && hadNoWork(Data);
  S.Calls.end(Data.CorrelationId, Now, HadNoWork);
  if (IsInside)
    return;
  if (Class == CallClass::Launch && HadNoWork)
    Class = CallClass::Other;
  noteBorder(S, Domain, Id, Data);
  if (Class == CallClass::Launch) {
    if (__atomic_fetch_add(&Header->gpu_launches, 1, __ATOMIC_RELAXED) == 0)
      finishAtExit();
    if (Call.Foreign)
      count(LOOPSCOPE_COUNT_GPU_FOREIGN);
    if (__builtin_expect(GpuSettings.CountersNs != 0, false))
      S.Sampling.noteLaunch(S.Api, Data.Context, Data.ContextUid);
  }
  if (Call.Own != nullptr) {
    addHostTime(Call.Own, Class, Now - Call.Start);
    if (Class == CallClass::Wait)
      noteWait(S, {static_cast<uint32_t>(Call.Tid), Call.Own->index, Call.Start,
                   Now});
  }
  if (S.Ring != nullptr)
    noteEvent(S, Call, Class, Id, Data.FunctionName, Now);
  Call.Correlation = 0;
}

// A graph's nodes are made while a phase captures or builds the graph, and
// copied when it is instantiated.
void noteGraphNode(GpuSession &S, uint32_t Id,
                   const cupti::ResourceData &Data) {
  const auto *Graph = static_cast<const cupti::GraphData *>(Data.Descriptor);
  uint64_t Node = 0;
  if (Graph == nullptr ||
      S.Api.GetGraphNodeId(Graph->Node, &Node) != cupti::Success)
    return;
  GraphNodes::Made How = {LOOPSCOPE_NONE, 0};
  uint64_t Original = 0;
  if (Id == cupti::GraphNodeCloned) {
    if (S.Api.GetGraphNodeId(Graph->OriginalNode, &Original) == cupti::Success)
      How = S.Graphs.find(Original);
  } else {
    OpenCall Here{};
    choosePlace(Here);
    // A kernel is captured by its launch.
    How = {Here.Charged, Open->Correlation == 0 ? KernelName(0) : Open->Name};
    Open->MadeNode = true;
  }
  if (How.Node != LOOPSCOPE_NONE || How.Name != 0)
    S.Graphs.note(Node, How);
}

void noteContextEnd(GpuSession &S, const cupti::ResourceData &Data) {
  uint32_t Context = 0;
  if (S.Api.GetContextId != nullptr &&
      S.Api.GetContextId(Data.Context, &Context) == cupti::Success)
    S.Endings.push({Context, now()});
}
} // namespace

void loopscope::runtime::chargeCall(uint32_t Correlation, uint32_t Node) {
  if (GpuSession *S = __atomic_load_n(&Collecting, __ATOMIC_ACQUIRE))
    S->Calls.charge(Correlation, Node);
}

void loopscope::runtime::onCudaCall(void * /*Data*/, uint32_t Domain,
                                    uint32_t Id, const void *CallbackData) {
  GpuSession *S = __atomic_load_n(&Collecting, __ATOMIC_ACQUIRE);
  if (S == nullptr) {
    noteCallInChild();
    return;
  }
  if (Domain == cupti::State) {
    if (Id == cupti::FatalError)
      stopCollecting("CUPTI met a fatal error and stopped itself");
    return;
  }
  if (Domain == cupti::Resources) {
    const auto &Data = *static_cast<const cupti::ResourceData *>(CallbackData);
    if (Id == cupti::ModuleUnloads) {
      S->Names.unload(now());
    } else if (Id == cupti::ContextEnds) {
      S->Names.unload(now());
      noteContextEnd(*S, Data);
    } else if (Id == cupti::GraphNodeCreated || Id == cupti::GraphNodeCloned) {
      uint64_t Began = now();
      noteGraphNode(*S, Id, Data);
      addCost(*S, now() - Began);
    }
    return;
  }
  if (Domain != cupti::Driver && Domain != cupti::Runtime)
    return;
  if (__builtin_expect(__atomic_load_n(&S->Running, __ATOMIC_ACQUIRE) != 2,
                       false)) {
    // Without a profile no span is open that could pay for this time.
    uint64_t Began =
        __atomic_load_n(&Header, __ATOMIC_ACQUIRE) == nullptr ? 0 : now();
    if (!beginCollecting(*S))
      return;
    if (Began != 0)
      addCost(*S, now() - Began);
  }
  CallClass Class =
      Id < GpuSession::MaxCalls ? S->Classes[Domain - 1][Id] : CallClass::Other;
  if (Class == CallClass::Ignored)
    return;
  const auto &Data = *static_cast<const cupti::CallbackData *>(CallbackData);
  uint64_t Began = now();
  if (Data.Site == cupti::Enter) {
    enterCall(*S, Domain, Id, Class, Data, Began);
    Open->Cost += now() - Began;
  } else {
    leaveCall(*S, Domain, Id, Class, Data, Began);
    addCost(*S, Open->Cost + now() - Began);
    Open->Cost = 0;
  }
}
