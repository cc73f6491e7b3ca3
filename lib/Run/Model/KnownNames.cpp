// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, and parts of names.

#include "Run/Model/KnownNames.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <utility>

namespace loopscope {
namespace {
bool hasAny(std::string_view Name,
            std::initializer_list<std::string_view> Parts) {
  return std::any_of(Parts.begin(), Parts.end(), [&](std::string_view Part) {
    return Name.find(Part) != std::string_view::npos;
  });
}

// CUTLASS's TensorOp and OpClassTensorOp, but not the end or the middle of
// another word, as SubTensorOpWithCast.
bool hasTensorOp(std::string_view Name) {
  constexpr std::string_view Mark = "TensorOp", Class = "OpClass";
  for (size_t At = Name.find(Mark); At != std::string_view::npos;
       At = Name.find(Mark, At + 1)) {
    std::string_view Before = Name.substr(0, At);
    if (Before.empty() || Before.ends_with(Class) ||
        !std::isalpha(static_cast<unsigned char>(Before.back())))
      return true;
  }
  return false;
}

} // namespace

SiteUse siteUse(std::string_view Name) {
  constexpr std::array<std::pair<std::string_view, SiteUse>, 7> Prefixes = {
      {{"nccl:", SiteUse::Nccl},
       {"gloo:", SiteUse::Gloo},
       {"MPI_", SiteUse::Mpi},
       {"c10d::Work::", SiteUse::Wait},
       {"c10d::SendWork::", SiteUse::Wait},
       {"c10d::RecvWork::", SiteUse::Wait},
       {"c10d::Reducer::", SiteUse::Wait}}};
  for (const auto &[Prefix, Use] : Prefixes)
    if (Name.starts_with(Prefix))
      return Use;
  return SiteUse::None;
}

bool startsOrEndsMpi(std::string_view Name) {
  return Name == "MPI_Init" || Name == "MPI_Init_thread" ||
         Name == "MPI_Finalize";
}

bool isCommunicationKernel(std::string_view Name) {
  return Name.starts_with("nccl") &&
         Name.find("Kernel") != std::string_view::npos;
}

bool countsBytesPerPeer(std::string_view Operation) {
  return Operation == "ncclReduceScatter" || Operation == "ncclAlltoAll";
}

EventUse callUse(std::string_view Name) {
  auto Has = [&](std::string_view Part) { return hasAny(Name, {Part}); };
  if (Has("GraphLaunch"))
    return EventUse::Launch;
  // Intel's: urEnqueueKernelLaunch, urEnqueueUSMMemcpy, in which the driver's
  // zeCommandListAppendLaunchKernel runs; urEventWait.
  if (Has("CommandListAppend") || Has("EnqueueEventsWait"))
    return EventUse::None;
  if (Has("Enqueue"))
    return EventUse::Launch;
  if (Has("QueueFinish") || Has("EventWait") || Has("EventsWait"))
    return EventUse::Block;
  // Nodes of graphs are created now and run later.
  if (Has("Graph") || Has("HostFunc"))
    return EventUse::None;
  if (Has("Synchronize") || (Has("Memcpy") && !Has("Async")))
    return EventUse::Block;
  return Has("Memcpy") || Has("cudaMemset") || Has("MemsetD") ||
                 Has("MemPrefetch") || Has("Launch")
             ? EventUse::Launch
             : EventUse::None;
}

bool waitsForDevice(std::string_view Call) {
  return hasAny(Call, {"DeviceSynchronize", "CtxSynchronize"});
}

bool usesTensorCores(std::string_view Kernel) {
  // Shapes of the matrix instructions (HMMA 8x8x4 of Volta, 16x8x8 of Turing,
  // 16x8x16 of Ampere; integer 8816, 16832 and 16864; double 884), the
  // instructions of Hopper (warp groups) and Blackwell (tcgen05), and what
  // cuBLAS (nvjet is its family for Hopper and Blackwell), cuDNN, CUTLASS and
  // fused attention put in their names.
  return hasTensorOp(Kernel) ||
         hasAny(Kernel, {"h884",      "s884",       "d884",      "h1688",
                         "s1688",     "h16816",     "s16816",    "bf16816",
                         "i8816",     "i16832",     "i16864",    "tensorop",
                         "hmma",      "imma",       "dmma",      "wgmma",
                         "gmma_",     "tensor16x8", "tensor8x8", "warpgroup",
                         "tcgen05",   "nvjet_",     "wmma",      "mma_sync",
                         "flash_fwd", "flash_bwd",  "fmha_",     "sdpa_sm"});
}

bool isMatrixKernel(std::string_view Kernel) {
  return hasAny(Kernel, {"gemm", "Gemm", "GEMM", "conv", "gemv"});
}

bool isMatrixOperator(std::string_view Operator) {
  constexpr std::array<std::string_view, 10> Eligible = {
      "aten::mm",     "aten::addmm",   "aten::bmm",    "aten::matmul",
      "aten::linear", "aten::baddbmm", "aten::conv1d", "aten::conv2d",
      "aten::conv3d", "aten::lstm"};
  return std::find(Eligible.begin(), Eligible.end(), Operator) !=
             Eligible.end() ||
         Operator.starts_with("aten::cudnn_convolution");
}

std::string readableName(std::string_view Phase) {
  constexpr std::string_view Graph = "CompiledFxGraph";
  size_t At = Phase.find(Graph);
  return std::string(Phase.starts_with("## Call ") && At != Phase.npos ? Graph
                                                                       : Phase);
}

std::string withoutAddress(std::string_view Function) {
  constexpr std::string_view Before = " object at 0x";
  constexpr std::string_view Kept = " object";
  size_t At = Function.find(Before);
  if (At == Function.npos || !Function.starts_with("<built-in "))
    return std::string(Function);
  size_t End =
      Function.find_first_not_of("0123456789abcdefABCDEF", At + Before.size());
  return std::string(Function.substr(0, At + Kept.size())) +
         std::string(Function.substr(std::min(End, Function.size())));
}

bool isOtherMakers(std::string_view Device) {
  return Device.starts_with("AMD") || Device.starts_with("Intel") ||
         Device.starts_with("gfx") || hasAny(Device, {"Instinct", "Radeon"});
}

} // namespace loopscope
