// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUPTI calls that the runtime makes, over the simulated devices.

#include "Cupti.h"

#include "Buffers.h"
#include "CallNames.h"
#include "Cuda.h"
#include "Device.h"
#include "Records.h"
#include "Scenario.h"
#include "Truth.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>

using namespace loopscope::runtime;
using namespace replay;

namespace {
constexpr cupti::Result InvalidParameter = 1;
size_t MostBuffers = 250; // of CUPTI itself, in a context
constexpr cupti::Result InvalidOperation = 7;
constexpr cupti::Result InvalidKind = 21;

struct Client {
  std::atomic<cupti::Callback> Callback{nullptr};
  void *Data = nullptr;
  bool AllowsOthers = false;
  std::string Name;
  bool KnowsDevices = false;
  std::set<std::pair<uint32_t, uint32_t>> Off, On;
  std::set<uint32_t> Domains;
  std::set<uint32_t> Kinds;
};
std::mutex Mutex;
Client Tools[MostTools]; // a tool with a callback is being served; the first
                         // one may be alone
std::atomic<uint32_t> LastCall{0};
// The process that has CUPTI's thread: the first that subscribed. A forked
// child gets no records, and its flushes never return.
std::atomic<pid_t> Owner{0};
bool isForeign() { return Owner != 0 && Owner != getpid(); }
std::atomic<bool> WholeGraphs{false};

Client &toolOf(cupti::Subscriber Handle) {
  return *static_cast<Client *>(Handle);
}
unsigned numberOf(const Client &Tool) {
  return static_cast<unsigned>(&Tool - Tools);
}

cupti::Result result(const char *Function) { return scenarioResult(Function); }

// The same for a global call, which is allowed only if there is one tool.
cupti::Result globalResult(const char *Function) {
  cupti::Result Code = result(Function);
  if (!Tools[0].AllowsOthers)
    return Code;
  noteCupti("mixed", LastCall != 0);
  return InvalidOperation;
}

// Mutex held.
void placeWanted(Client &Tool, const Done &D) {
  if (isForeign())
    return;
  bool IsGraph = D.Kind == cupti::GraphKind && scenario().WholeGraphs;
  if (IsGraph || Tool.Kinds.count(D.Kind) != 0)
    place(numberOf(Tool), D);
}

template <typename Function> void fireAll(Function Fire) {
  for (Client &Tool : Tools)
    if (cupti::Callback To = Tool.Callback.load(); To != nullptr)
      Fire(Tool, To);
}

void fireResourceEvent(uint32_t Event, const cupti::ResourceData &Data) {
  fireAll([&](Client &Tool, cupti::Callback To) {
    if (Tool.On.count({cupti::Resources, Event}) != 0)
      To(Tool.Data, cupti::Resources, Event, &Data);
  });
}

// Runs once. Mutex held.
void tellDevices(Client &Tool) {
  if (Tool.KnowsDevices || Tool.Kinds.count(cupti::DeviceKind) == 0)
    return;
  Tool.KnowsDevices = true;
  auto Tell = [&](const std::vector<DeviceModel> &Devices, bool IsHidden) {
    for (const DeviceModel &M : Devices) {
      Done Facts;
      Facts.Kind = cupti::DeviceKind;
      Facts.Device = M.Id;
      Facts.IsHidden = IsHidden;
      place(numberOf(Tool), Facts);
    }
  };
  Tell(scenario().Devices, false);
  Tell(scenario().Hidden, true);
}

// When the driver is initialised, it records devices for the tools that have
// requested them by then.
void initialise() {
  std::lock_guard Lock(Mutex);
  for (const DeviceModel &M : scenario().Devices)
    noteDevice(M.Id, M.Multiprocessors);
  for (Client &Tool : Tools)
    tellDevices(Tool);
}

void enable(Client &Tool, uint32_t Kind, bool Dump) {
  std::lock_guard Lock(Mutex);
  Tool.Kinds.insert(Kind);
  // Permanent, even if it is disabled again.
  WholeGraphs = WholeGraphs || Kind == cupti::GraphKind;
  if (Dump && LastCall != 0)
    tellDevices(Tool);
}

void disable(Client &Tool, uint32_t Kind) {
  std::lock_guard Lock(Mutex);
  Tool.Kinds.erase(Kind);
}

bool isServed(const Client &Tool) { return Tool.Callback.load() != nullptr; }

// Serves one more tool; null if that is impossible. Mutex held.
Client *serve(cupti::Callback To, void *Data, bool AllowsOthers,
              const char *Name) {
  constexpr uint32_t FirstOfSeveral = 130300;
  if (AllowsOthers &&
      (scenario().CuptiVersion < FirstOfSeveral || scenario().OneSubscriber))
    return nullptr;
  Client *Holder = std::find_if(Tools, Tools + MostTools, isServed);
  Client *Free = std::find_if_not(Tools, Tools + MostTools, isServed);
  if (Holder != Tools + MostTools &&
      (!AllowsOthers || !Holder->AllowsOthers || Free == Tools + MostTools)) {
    noteRefusal(Holder->Name.c_str());
    return nullptr;
  }
  if (Owner == 0)
    Owner = getpid();
  Free->AllowsOthers = AllowsOthers;
  Free->Name = Name == nullptr ? "" : std::string("CUPTI for ") + Name;
  Free->Data = Data;
  Free->Callback = To;
  return Free;
}

// The id of the Nth call; 0: none.
uint32_t idOfCall(uint32_t Nth) {
  uint32_t Before = scenario().Correlation;
  uint32_t Id = Before + Nth;
  return Id < Before ? Id + 1 : Id;
}

cupti::Result nextRecord(uint8_t *Buffer, size_t ValidSize,
                         cupti::Record **Record) {
  uint8_t *At = Buffer;
  if (*Record != nullptr)
    At = reinterpret_cast<uint8_t *>(*Record) + recordSize((*Record)->Kind);
  if (At >= Buffer + ValidSize)
    return cupti::MaxLimitReached;
  auto *Next = reinterpret_cast<cupti::Record *>(At);
  if (recordSize(Next->Kind) == 0)
    return InvalidKind;
  *Record = Next;
  return cupti::Success;
}

// Only launches have a readable name.
const char *const NotAName = reinterpret_cast<const char *>(1);
} // namespace

cupti::Result replay::scenarioResult(const char *Function) {
  const Scenario &S = scenario();
  noteCupti(Function, LastCall != 0);
  while (S.Hangs.count(Function) != 0)
    pause();
  if (auto Slow = S.SlowNs.find(Function); Slow != S.SlowNs.end())
    std::this_thread::sleep_for(std::chrono::nanoseconds(Slow->second));
  auto Found = S.CuptiFailures.find(Function);
  return Found == S.CuptiFailures.end() ? cupti::Success : Found->second.Code;
}

void replay::record(const Done &D) {
  std::lock_guard Lock(Mutex);
  for (Client &Tool : Tools)
    placeWanted(Tool, D);
}

void replay::fireRecorded(uint32_t Domain, uint32_t Id,
                          const cupti::CallbackData &Data) {
  fireAll([&](Client &Tool, cupti::Callback To) {
    if (Tool.Domains.count(Domain) != 0 && Tool.Off.count({Domain, Id}) == 0)
      To(Tool.Data, Domain, Id, &Data);
  });
}

void replay::fireGraphNode(uint32_t Event, const void *Node,
                           const void *Original) {
  cupti::GraphData Graph{};
  Graph.Node = const_cast<void *>(Node);
  Graph.OriginalNode = const_cast<void *>(Original);
  fireResourceEvent(Event, {nullptr, nullptr, &Graph});
}

void replay::fireResource(uint32_t Event) { fireResourceEvent(Event, {}); }

void replay::fireContextEnd(uint32_t Device) {
  uint32_t Context = Device + 1;
  fireResourceEvent(cupti::ContextEnds, {&Context, nullptr, nullptr});
}

bool replay::tracesWholeGraphs() {
  return WholeGraphs || scenario().WholeGraphs;
}

void replay::useRecordedDevices() {
  std::lock_guard Lock(Mutex);
  for (Client &Tool : Tools)
    Tool.KnowsDevices = true;
}

void replay::deliverRecorded(const std::vector<std::string> &Records) {
  std::vector<std::string> Wanted;
  for (const std::string &Record : Records) {
    uint32_t Kind = 0;
    std::memcpy(&Kind, Record.data(), sizeof(Kind));
    if (Record.size() != recordSize(Kind)) {
      std::fprintf(stderr,
                   "replay: a record of kind %u has %zu bytes, not %zu\n", Kind,
                   Record.size(), recordSize(Kind));
      std::abort();
    }
    std::lock_guard Lock(Mutex);
    if (Tools[0].Kinds.count(Kind) != 0)
      Wanted.push_back(Record);
  }
  handOver(Wanted);
}

replay::ApiCall::ApiCall(uint32_t Domain, const char *Name, const char *Kernel,
                         uint32_t Correlation)
    : Domain(Domain) {
  const CallName *Call = callNamed(Domain, Name);
  Id = Call->Id;
  Data.FunctionName = Call->Name;
  Data.SymbolName = Kernel == nullptr ? NotAName : Kernel;
  Data.CorrelationData = &Shared;
  // By device, each context is its id.
  static uint32_t Contexts[16] = {1, 2,  3,  4,  5,  6,  7,  8,
                                  9, 10, 11, 12, 13, 14, 15, 16};
  Data.ContextUid = CurrentDevice + 1;
  Data.Context = &Contexts[CurrentDevice % 16];
  static void *Driver = scenario().Driver.empty()
                            ? nullptr
                            : dlopen(scenario().Driver.c_str(), RTLD_NOW);
  (void)Driver;
  uint32_t Nth = Correlation == 0 ? ++LastCall : LastCall.load();
  if (Nth == 1 && Correlation == 0)
    initialise();
  Data.CorrelationId = Correlation == 0 ? idOfCall(Nth) : Correlation;
  fire(cupti::Enter);
}

replay::ApiCall::~ApiCall() { fire(cupti::Exit); }

void replay::ApiCall::fire(uint32_t Site) {
  Data.Site = Site;
  Data.ReturnValue = Site == cupti::Exit ? &Result : nullptr;
  fireRecorded(Domain, Id, Data);
}

extern "C" {
cupti::Result cuptiGetVersion(uint32_t *Version) {
  *Version = scenario().CuptiVersion;
  return result("cuptiGetVersion");
}

cupti::Result cuptiGetResultString(cupti::Result Code, const char **Text) {
  static const std::map<cupti::Result, const char *> Known = {
      {0, "CUPTI_SUCCESS"},
      {14, "CUPTI_ERROR_NOT_COMPATIBLE"},
      {15, "CUPTI_ERROR_NOT_INITIALIZED"},
      {26, "CUPTI_ERROR_HARDWARE_BUSY"},
      {27, "CUPTI_ERROR_NOT_SUPPORTED"},
      {35, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"},
      {39, "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"},
      {43, "CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED"},
      {999, "CUPTI_ERROR_UNKNOWN"}};
  auto Found = Known.find(Code);
  *Text = Found == Known.end() ? "CUPTI_ERROR" : Found->second;
  return cupti::Success;
}

// What CUPTI itself takes: buffers for 100,000 pieces of work, whose number may
// only be set before there is a context. CUDA 13 has them on the host.
cupti::Result cuptiActivityGetAttribute(uint32_t Attribute, size_t *Size,
                                        void *Value) {
  if (Attribute == cupti::BuffersOnHostAttribute) {
    if (*Size != sizeof(uint8_t) || scenario().CuptiVersion < 130000)
      return InvalidParameter;
    *static_cast<uint8_t *>(Value) = 1;
    return result("cuptiActivityGetAttribute");
  }
  if (*Size != sizeof(size_t) || (Attribute != cupti::BufferBytesAttribute &&
                                  Attribute != cupti::BufferLimitAttribute))
    return InvalidParameter;
  *static_cast<size_t *>(Value) =
      Attribute == cupti::BufferBytesAttribute ? 3'200'000 : MostBuffers;
  return result("cuptiActivityGetAttribute");
}

cupti::Result cuptiActivitySetAttribute(uint32_t Attribute, size_t *Size,
                                        void *Value) {
  if (Attribute != cupti::BufferLimitAttribute || *Size != sizeof(size_t))
    return InvalidParameter;
  if (cupti::Result Code = result("cuptiActivitySetAttribute");
      Code != cupti::Success)
    return Code;
  std::memcpy(&MostBuffers, Value, sizeof(MostBuffers));
  return cupti::Success;
}

cupti::Result cuptiSubscribe(cupti::Subscriber *Handle, cupti::Callback To,
                             void *Data) {
  cupti::Result Code = result("cuptiSubscribe");
  if (Code != cupti::Success)
    return Code;
  std::lock_guard Lock(Mutex);
  Client *Tool = serve(To, Data, false, nullptr);
  if (Tool == nullptr)
    return cupti::MultipleSubscribers;
  *Handle = Tool;
  return cupti::Success;
}

#ifndef REPLAY_CUPTI_12
cupti::Result cuptiSubscribe_v2(cupti::Subscriber *Handle, cupti::Callback To,
                                void *Data,
                                cupti::SubscriberParameters *Parameters) {
  bool AllowsOthers =
      Parameters->StructSize > cupti::SubscriberParametersOf130 &&
      Parameters->AllowSeveral != 0;
  cupti::Result Code = result("cuptiSubscribe");
  std::lock_guard Lock(Mutex);
  const Client *First = std::find_if(Tools, Tools + MostTools, isServed);
  std::string Holder = First == Tools + MostTools ? "" : First->Name;
  if (Code != cupti::Success)
    Holder = scenario().CuptiFailures.at("cuptiSubscribe").Text;
  if (Parameters->OldName != nullptr)
    Parameters->OldName[Holder.copy(Parameters->OldName,
                                    Parameters->OldNameSize - 1)] = 0;
  if (Code != cupti::Success)
    return Code;
  Client *Tool = serve(To, Data, AllowsOthers, Parameters->Name);
  if (Tool == nullptr)
    return cupti::MultipleSubscribers;
  *Handle = Tool;
  return cupti::Success;
}

cupti::Result
cuptiActivityRegisterCallbacks_v2(cupti::Subscriber Handle,
                                  cupti::SharedBufferRequested Request,
                                  cupti::SharedBufferCompleted Complete) {
  useBuffersOf(numberOf(toolOf(Handle)),
               {[=](uint8_t **Memory, size_t *Room, size_t *MaxRecords) {
                  Request(Memory, Room, MaxRecords, nullptr);
                },
                [=](uint8_t *Memory, size_t Room, size_t Valid) {
                  Complete(Memory, Room, Valid, nullptr);
                }});
  return result("cuptiActivityRegisterCallbacks_v2");
}

// The clock set last applies to all tools' records.
cupti::Result cuptiActivitySetAttribute_v2(cupti::Subscriber /*Handle*/,
                                           uint32_t Attribute, size_t *Size,
                                           void *Value) {
  cupti::TimestampCallback Clock = nullptr;
  if (Attribute != cupti::TimestampAttribute || *Size != sizeof(Clock))
    return InvalidParameter;
  std::memcpy(&Clock, Value, sizeof(Clock));
  setTimestampCallback(Clock);
  return result("cuptiActivitySetAttribute_v2");
}

cupti::Result cuptiActivityEnable_v2(cupti::Subscriber Handle, uint32_t Kind,
                                     void * /*Config*/) {
  enable(toolOf(Handle), Kind, false);
  return result("cuptiActivityEnable_v2");
}

cupti::Result cuptiActivityEnableAndDump_v2(cupti::Subscriber Handle,
                                            uint32_t Kind, void * /*Config*/) {
  enable(toolOf(Handle), Kind, true);
  return result("cuptiActivityEnableAndDump_v2");
}

cupti::Result cuptiActivityDisable_v2(cupti::Subscriber Handle, uint32_t Kind,
                                      void * /*Config*/) {
  disable(toolOf(Handle), Kind);
  return cupti::Success;
}

cupti::Result cuptiActivityGetNextRecord_v2(cupti::Subscriber /*Handle*/,
                                            uint8_t *Buffer, size_t ValidSize,
                                            cupti::Record **Record) {
  return nextRecord(Buffer, ValidSize, Record);
}

cupti::Result cuptiActivityGetNumDroppedRecords_v2(cupti::Subscriber Handle,
                                                   void * /*Context*/,
                                                   uint32_t /*Stream*/,
                                                   size_t *Count) {
  *Count = takeDropped(numberOf(toolOf(Handle)));
  return cupti::Success;
}
#endif

cupti::Result cuptiUnsubscribe(cupti::Subscriber Handle) {
  toolOf(Handle).Callback = nullptr;
  toolOf(Handle).AllowsOthers = false;
  return result("cuptiUnsubscribe");
}

cupti::Result cuptiEnableCallback(uint32_t Enable, cupti::Subscriber Handle,
                                  uint32_t Domain, uint32_t Id) {
  std::lock_guard Lock(Mutex);
  Client &Tool = toolOf(Handle);
  (Enable != 0 ? Tool.Off : Tool.On).erase({Domain, Id});
  (Enable != 0 ? Tool.On : Tool.Off).insert({Domain, Id});
  return result("cuptiEnableCallback");
}

cupti::Result cuptiEnableDomain(uint32_t Enable, cupti::Subscriber Handle,
                                uint32_t Domain) {
  constexpr uint32_t NoStates = 18; // CUPTI of CUDA 12.1
  if (Domain == cupti::State && scenario().CuptiVersion <= NoStates)
    return InvalidParameter;
  std::lock_guard Lock(Mutex);
  Client &Tool = toolOf(Handle);
  if (Enable != 0)
    Tool.Domains.insert(Domain);
  else
    Tool.Domains.erase(Domain);
  return result("cuptiEnableDomain");
}

// A context is its id.
cupti::Result cuptiGetContextId(void *Context, uint32_t *Id) {
  *Id = *static_cast<const uint32_t *>(Context);
  return cupti::Success;
}

cupti::Result cuptiGetDeviceId(void *Context, uint32_t *Id) {
  *Id = Context == nullptr ? CurrentDevice
                           : *static_cast<const uint32_t *>(Context) - 1;
  return result("cuptiGetDeviceId");
}

// A node begins with its id.
cupti::Result cuptiGetGraphNodeId(void *Node, uint64_t *Id) {
  *Id = *static_cast<const uint64_t *>(Node);
  return result("cuptiGetGraphNodeId");
}

cupti::Result cuptiGetCallbackName(uint32_t Domain, uint32_t Id,
                                   const char **Name) {
  const char *Known = nameOfCall(Domain, Id);
  if (Known == nullptr)
    return InvalidParameter;
  *Name = Known;
  return result("cuptiGetCallbackName");
}

cupti::Result cuptiActivityRegisterCallbacks(cupti::BufferRequested Request,
                                             cupti::BufferCompleted Complete) {
  if (Tools[0].AllowsOthers)
    return globalResult("cuptiActivityRegisterCallbacks");
  useBuffersOf(0, {Request, [=](uint8_t *Memory, size_t Room, size_t Valid) {
                     Complete(nullptr, 0, Memory, Room, Valid);
                   }});
  return globalResult("cuptiActivityRegisterCallbacks");
}

cupti::Result
cuptiActivityRegisterTimestampCallback(cupti::TimestampCallback Clock) {
  setTimestampCallback(Clock);
  return globalResult("cuptiActivityRegisterTimestampCallback");
}

cupti::Result cuptiActivityEnable(uint32_t Kind) {
  enable(Tools[0], Kind, false);
  return globalResult("cuptiActivityEnable");
}

cupti::Result cuptiActivityEnableAndDump(uint32_t Kind) {
  enable(Tools[0], Kind, true);
  return globalResult("cuptiActivityEnable");
}

cupti::Result cuptiActivityDisable(uint32_t Kind) {
  disable(Tools[0], Kind);
  return cupti::Success;
}

cupti::Result cuptiActivityGetNextRecord(uint8_t *Buffer, size_t ValidSize,
                                         cupti::Record **Record) {
  return Tools[0].AllowsOthers ? InvalidOperation
                               : nextRecord(Buffer, ValidSize, Record);
}

cupti::Result cuptiActivityGetNumDroppedRecords(void * /*Context*/,
                                                uint32_t /*Stream*/,
                                                size_t *Count) {
  *Count = takeDropped(0);
  return cupti::Success;
}

cupti::Result cuptiFinalize() {
  cupti::Result Code = result("cuptiFinalize");
  std::lock_guard Lock(Mutex);
  for (Client &Tool : Tools) {
    Tool.Callback = nullptr;
    Tool.KnowsDevices = false;
    Tool.Off.clear();
    Tool.On.clear();
    Tool.Domains.clear();
    Tool.Kinds.clear();
  }
  Owner = 0;
  return Code;
}

cupti::Result cuptiActivityFlushAll(uint32_t Flags) {
  cupti::Result Code = result("cuptiActivityFlushAll");
  while (isForeign())
    pause();
  flush((Flags & cupti::FlushForced) != 0);
  return Code;
}

cupti::Callback replaySetCallback(cupti::Callback To) {
  return Tools[0].Callback.exchange(To);
}
}
