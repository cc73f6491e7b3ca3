// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA runtime without a device: every call fires its callbacks and puts its
// work on a simulated stream.

#include "fake_cuda.h"

#include "Buffers.h"
#include "Cuda.h"
#include "Cupti.h"
#include "Device.h"
#include "Modules.h"
#include "Nvcc.h"
#include "Scenario.h"
#include "Truth.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <optional>

using namespace replay;
namespace cupti = loopscope::runtime::cupti;

thread_local uint32_t replay::CurrentDevice = 0;

std::optional<int> replay::failure(const char *Function) {
  const auto &Failures = scenario().CudaFailures;
  auto Found = Failures.find(Function);
  return Found == Failures.end() ? std::nullopt
                                 : std::optional<int>(Found->second);
}

namespace {
constexpr uint32_t OnRuntime = cupti::Runtime;
std::atomic<uint32_t> NextStream{13};
std::atomic<uint32_t> NextGraph{1};
ReplayStream DefaultStreams[16];

// This thread's default stream on the current device.
ReplayStream &ownDefaultStream() {
  thread_local std::map<uint32_t, ReplayStream> Own;
  auto [Found, IsNew] = Own.try_emplace(CurrentDevice);
  if (IsNew)
    Found->second.Id = NextStream++;
  return Found->second;
}

ReplayStream &streamOf(cudaStream_t Stream) {
  if (Stream != nullptr)
    return *Stream;
  ReplayStream &Default = scenario().OwnDefaultStreams
                              ? ownDefaultStream()
                              : DefaultStreams[CurrentDevice % 16];
  Default.Device = CurrentDevice;
  return Default;
}

// Waits inside a call.
void waitUntil(uint64_t Time) {
  uint64_t Began = timestamp();
  sleepUntil(Time);
  noteWait(Began, timestamp());
}

void takeCallTime() {
  if (uint64_t Ns = scenario().CallNs; Ns != 0)
    sleepUntil(timestamp() + Ns);
}

// Puts W on the stream, or into the graph that is being captured.
void submit(ReplayStream &Stream, Work W, uint32_t Correlation) {
  if (Stream.Capture == nullptr) {
    put(Stream, std::move(W), Correlation);
    return;
  }
  ReplayGraph::Node &Node = Stream.Capture->add(std::move(W));
  fireGraphNode(cupti::GraphNodeCreated, &Node, nullptr);
}

Work kernel(const void *Name, dim3 Grid, dim3 Block, size_t Shared) {
  Work W;
  W.Kind = cupti::ConcurrentKernelKind;
  W.Name = kernelName(Name);
  W.Symbol = symbolOf(Name);
  const Scenario &S = scenario();
  auto Found = S.Kernels.find(W.Name);
  W.Ns = Found == S.Kernels.end() ? S.DefaultNs : Found->second.Ns;
  W.Registers = Found == S.Kernels.end() ? 32 : Found->second.Registers;
  const unsigned GridSize[] = {Grid.x, Grid.y, Grid.z};
  const unsigned BlockSize[] = {Block.x, Block.y, Block.z};
  std::memcpy(W.Grid, GridSize, sizeof(W.Grid));
  std::memcpy(W.Block, BlockSize, sizeof(W.Block));
  W.Shared = static_cast<unsigned>(Shared);
  return W;
}

Work transfer(uint32_t Kind, size_t Bytes, uint32_t CopyKind) {
  Work W;
  W.Kind = Kind;
  W.Bytes = Bytes;
  W.CopyKind = CopyKind;
  W.Ns = Bytes * 1000 / scenario().BytesPerUs + 1000;
  return W;
}

uint32_t copyKind(cudaMemcpyKind Kind) {
  static constexpr uint32_t Kinds[] = {9, 1, 2, 8};
  // cudaMemcpyDefault goes by addresses, which are meaningless here.
  return Kind <= cudaMemcpyDeviceToDevice ? Kinds[Kind] : 8;
}

// The driver call inside a runtime call. Only a kernel launch has a symbol.
const char *driverCallFor(uint32_t Kind) {
  switch (Kind) {
  case cupti::CopyKind:
    return "cuMemcpyAsync";
  case cupti::PeerCopyKind:
    return "cuMemcpyPeerAsync";
  case cupti::SetKind:
    return "cuMemsetD8Async";
  default:
    return "cuLaunchKernel";
  }
}

cudaError_t launch(const char *Call, const char *Function, Work W,
                   cudaStream_t Stream) {
  ApiCall Api(OnRuntime, Call, W.Symbol);
  if (auto Code = failure(Function))
    return Api.fail(*Code);
  takeCallTime();
  static std::atomic<unsigned> Launches{0};
  if (++Launches == scenario().Fatal) {
    cupti::CallbackData Nothing{};
    fireRecorded(cupti::State, cupti::FatalError, Nothing);
    flush(true);
  }
  // CUPTI gives both the same id.
  ApiCall Inner(cupti::Driver, driverCallFor(W.Kind), W.Symbol,
                scenario().Nested ? 0 : Api.correlation());
  if (scenario().NoWork)
    return cudaSuccess;
  submit(streamOf(Stream), std::move(W), Inner.correlation());
  return cudaSuccess;
}

// Nodes run in sequence; CUPTI sees the first start and the last end.
Work wholeGraph(const ReplayGraph &Runnable) {
  Work W;
  W.Kind = cupti::GraphKind;
  W.Graph = Runnable.Id;
  for (const ReplayGraph::Node &Each : Runnable.Nodes)
    W.Ns += Each.Does.Ns;
  return W;
}

// A call that doesn't involve devices.
cudaError_t simple(const char *Call, const char *Function) {
  ApiCall Api(OnRuntime, Call);
  return failure(Function).value_or(cudaSuccess);
}
} // namespace

extern "C" {
cudaError_t cudaGetDeviceCount(int *Count) {
  *Count = static_cast<int>(scenario().Devices.size());
  return simple("cudaGetDeviceCount_v3020", "cudaGetDeviceCount");
}

cudaError_t cudaSetDevice(int Device) {
  CurrentDevice = static_cast<uint32_t>(Device);
  return simple("cudaSetDevice_v3020", "cudaSetDevice");
}

cudaError_t cudaGetDevice(int *Device) {
  *Device = static_cast<int>(CurrentDevice);
  return simple("cudaGetDevice_v3020", "cudaGetDevice");
}

cudaError_t cudaGetLastError(void) {
  return simple("cudaGetLastError_v3020", "cudaGetLastError");
}

cudaError_t cudaDeviceSynchronize(void) {
  ApiCall Api(OnRuntime, "cudaDeviceSynchronize_v3020");
  if (auto Code = failure("cudaDeviceSynchronize"))
    return *Code;
  waitUntil(allDoneAt());
  return cudaSuccess;
}

cudaError_t cudaProfilerStart(void) {
  return simple("cudaProfilerStart_v4000", "cudaProfilerStart");
}

cudaError_t cudaProfilerStop(void) {
  return simple("cudaProfilerStop_v4000", "cudaProfilerStop");
}

cudaError_t cudaDeviceReset(void) {
  ApiCall Api(OnRuntime, "cudaDeviceReset_v3020");
  sleepUntil(allDoneAt());
  fireContextEnd(CurrentDevice);
  forgetMemory(CurrentDevice);
  flush(true);
  return failure("cudaDeviceReset").value_or(cudaSuccess);
}

const char *cudaGetErrorString(cudaError_t /*Code*/) {
  return "an error of the scenario";
}

cudaError_t cudaLaunchKernel(const void *Name, dim3 Grid, dim3 Block,
                             void ** /*Arguments*/, size_t Shared,
                             cudaStream_t Stream) {
  return launch("cudaLaunchKernel_v7000", "cudaLaunchKernel",
                kernel(Name, Grid, Block, Shared), Stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *Name, dim3 Grid, dim3 Block,
                                        void ** /*Arguments*/, size_t Shared,
                                        cudaStream_t Stream) {
  return launch("cudaLaunchCooperativeKernel_v9000",
                "cudaLaunchCooperativeKernel",
                kernel(Name, Grid, Block, Shared), Stream);
}

// Calls whose effects have no record; CUDA runs the function on a thread of its
// own, sooner or later.
cudaError_t cudaLaunchHostFunc(cudaStream_t /*Stream*/, void (*Run)(void *),
                               void *Data) {
  ApiCall Api(cupti::Runtime, "cudaLaunchHostFunc_v10000");
  if (auto Code = failure("cudaLaunchHostFunc"))
    return Api.fail(*Code);
  Run(Data);
  return cudaSuccess;
}

int cuMemCreate(unsigned long long *Handle, size_t Bytes,
                const void * /*Properties*/, unsigned long long /*Flags*/) {
  ApiCall Api(cupti::Driver, "cuMemCreate");
  *Handle = Bytes;
  return 0;
}

int cuGreenCtxCreate(void **Context, void * /*Resources*/, int /*Device*/,
                     unsigned /*Flags*/) {
  ApiCall Api(cupti::Driver, "cuGreenCtxCreate");
  *Context = nullptr;
  return 0;
}

int cuLaunchKernel(const void *Name, unsigned GridX, unsigned GridY,
                   unsigned GridZ, unsigned BlockX, unsigned BlockY,
                   unsigned BlockZ, unsigned Shared, cudaStream_t Stream,
                   void ** /*Arguments*/, void ** /*Extra*/) {
  Work W =
      kernel(Name, {GridX, GridY, GridZ}, {BlockX, BlockY, BlockZ}, Shared);
  ApiCall Api(cupti::Driver, "cuLaunchKernel", W.Symbol);
  submit(streamOf(Stream), std::move(W), Api.correlation());
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       cudaMemcpyKind Kind) {
  ApiCall Api(OnRuntime, "cudaMemcpy_v3020");
  if (auto Code = failure("cudaMemcpy"))
    return *Code;
  std::memcpy(To, From, Bytes);
  ReplayStream &Stream = streamOf(nullptr);
  put(Stream, transfer(cupti::CopyKind, Bytes, copyKind(Kind)),
      Api.correlation());
  waitUntil(Stream.FreeAt);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                            cudaMemcpyKind Kind, cudaStream_t Stream) {
  std::memcpy(To, From, Bytes);
  return launch("cudaMemcpyAsync_v3020", "cudaMemcpyAsync",
                transfer(cupti::CopyKind, Bytes, copyKind(Kind)), Stream);
}

cudaError_t cudaMemcpyPeerAsync(void *To, int ToDevice, const void *From,
                                int /*FromDevice*/, size_t Bytes,
                                cudaStream_t Stream) {
  std::memcpy(To, From, Bytes);
  Work W = transfer(cupti::PeerCopyKind, Bytes, 10);
  W.PeerDevice = static_cast<uint32_t>(ToDevice);
  return launch("cudaMemcpyPeerAsync_v4000", "cudaMemcpyPeerAsync",
                std::move(W), Stream);
}

cudaError_t cudaMemset(void *Memory, int Value, size_t Bytes) {
  std::memset(Memory, Value, Bytes);
  return launch("cudaMemset_v3020", "cudaMemset",
                transfer(cupti::SetKind, Bytes, 0), nullptr);
}

cudaError_t cudaMemsetAsync(void *Memory, int Value, size_t Bytes,
                            cudaStream_t Stream) {
  std::memset(Memory, Value, Bytes);
  return launch("cudaMemsetAsync_v3020", "cudaMemsetAsync",
                transfer(cupti::SetKind, Bytes, 0), Stream);
}

cudaError_t cudaStreamCreate(cudaStream_t *Stream) {
  ApiCall Api(OnRuntime, "cudaStreamCreate_v3020");
  *Stream = new ReplayStream;
  (*Stream)->Id = NextStream++;
  (*Stream)->Device = CurrentDevice;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t Stream) {
  ApiCall Api(OnRuntime, "cudaStreamDestroy_v3020");
  delete Stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t Stream) {
  ApiCall Api(OnRuntime, "cudaStreamSynchronize_v3020");
  if (auto Code = failure("cudaStreamSynchronize"))
    return *Code;
  waitUntil(streamOf(Stream).FreeAt);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *Event) {
  ApiCall Api(OnRuntime, "cudaEventCreate_v3020");
  *Event = new ReplayEvent;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream) {
  ApiCall Api(OnRuntime, "cudaEventRecord_v3020");
  // For an idle stream: now.
  Event->At = std::max(streamOf(Stream).FreeAt, timestamp());
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *Ms, cudaEvent_t From, cudaEvent_t To) {
  *Ms = static_cast<float>(static_cast<double>(To->At - From->At) * 1e-6);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned /*Flags*/) {
  ReplayStream &S = streamOf(Stream);
  if (S.FreeAt < Event->At)
    S.FreeAt = Event->At;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t Event) {
  delete Event;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t Graph) {
  delete Graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Runnable) {
  delete Runnable;
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t Event) {
  ApiCall Api(OnRuntime, "cudaEventSynchronize_v3020");
  waitUntil(Event->At);
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t Event) {
  constexpr cudaError_t NotReady = 600;
  ApiCall Api(OnRuntime, "cudaEventQuery_v3020");
  return timestamp() < Event->At ? NotReady : cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t Stream, int /*Mode*/) {
  ApiCall Api(OnRuntime, "cudaStreamBeginCapture_v10000");
  ReplayStream &S = streamOf(Stream);
  S.Capture = new ReplayGraph;
  S.Capture->Id = NextGraph++;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t Stream, cudaGraph_t *Graph) {
  ApiCall Api(OnRuntime, "cudaStreamEndCapture_v10000");
  ReplayStream &S = streamOf(Stream);
  *Graph = S.Capture;
  S.Capture = nullptr;
  return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t *Graph, unsigned /*Flags*/) {
  ApiCall Api(OnRuntime, "cudaGraphCreate_v10000");
  *Graph = new ReplayGraph;
  (*Graph)->Id = NextGraph++;
  return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t * /*Dependencies*/,
                                   size_t /*Count*/,
                                   const cudaKernelNodeParams *Parameters) {
  ApiCall Api(OnRuntime, "cudaGraphAddKernelNode_v10000");
  const cudaKernelNodeParams &P = *Parameters;
  *Node = &Graph->add(kernel(P.func, P.gridDim, P.blockDim, P.sharedMemBytes));
  fireGraphNode(cupti::GraphNodeCreated, *Node, nullptr);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Runnable, cudaGraph_t Graph,
                                 unsigned long long /*Flags*/) {
  ApiCall Api(OnRuntime, "cudaGraphInstantiate_v12000");
  *Runnable = new ReplayGraph;
  (*Runnable)->Id = NextGraph++;
  for (const ReplayGraph::Node &Each : Graph->Nodes) {
    ReplayGraph::Node &Clone = (*Runnable)->add(Each.Does);
    fireGraphNode(cupti::GraphNodeCloned, &Clone, &Each);
  }
  return cudaSuccess;
}

// NODE is one of the graph from which RUNNABLE was made.
cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t Runnable, cudaGraphNode_t Node,
                                 const cudaKernelNodeParams *Parameters) {
  ApiCall Api(OnRuntime, "cudaGraphExecKernelNodeSetParams_v10010");
  const cudaKernelNodeParams &P = *Parameters;
  auto Place = *static_cast<const uint64_t *>(Node) & UINT32_MAX;
  Runnable->Nodes[Place - 1].Does =
      kernel(P.func, P.gridDim, P.blockDim, P.sharedMemBytes);
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t Runnable, cudaStream_t Stream) {
  ApiCall Api(OnRuntime, "cudaGraphLaunch_v10000");
  if (auto Code = failure("cudaGraphLaunch"))
    return *Code;
  if (tracesWholeGraphs() && !Runnable->Nodes.empty()) {
    put(streamOf(Stream), wholeGraph(*Runnable), Api.correlation());
    return cudaSuccess;
  }
  for (const ReplayGraph::Node &Each : Runnable->Nodes) {
    Work W = Each.Does;
    W.Graph = Runnable->Id;
    W.GraphNode = Each.Id;
    put(streamOf(Stream), std::move(W), Api.correlation());
  }
  return cudaSuccess;
}
}
