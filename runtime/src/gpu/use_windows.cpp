// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows in order of time, and their owners.

#include "use_windows.h"

using namespace loopscope::runtime;

namespace {
// The share of a window that must be one call path's.
bool isNearlyAll(uint64_t Part, uint64_t Whole) {
  return Part >= Whole - Whole / 20;
}

// Whether a node's mean may include idle time.
bool isAround(uint16_t Kind) {
  switch (Kind) {
  case LOOPSCOPE_KIND_ROOT:
  case LOOPSCOPE_KIND_FIT:
  case LOOPSCOPE_KIND_VALIDATE:
  case LOOPSCOPE_KIND_TEST:
  case LOOPSCOPE_KIND_PREDICT:
  case LOOPSCOPE_KIND_EPOCH:
  case LOOPSCOPE_KIND_TRAIN:
  case LOOPSCOPE_KIND_VALID:
  case LOOPSCOPE_KIND_STEP:
    return true;
  default:
    return false;
  }
}

bool isOfLinks(uint32_t Use) {
  switch (static_cast<DeviceUseOf>(Use)) {
  case DeviceUseOf::PcieSent:
  case DeviceUseOf::PcieReceived:
  case DeviceUseOf::NvlinkSent:
  case DeviceUseOf::NvlinkReceived:
    return true;
  default:
    return false;
  }
}
} // namespace

void UseWindows::Times::add(uint32_t Node, uint64_t Ticks) {
  All += Ticks;
  if (Node == LOOPSCOPE_NONE)
    return;
  while (ByNode.size() <= Node)
    if (!ByNode.push(0))
      return;
  if (ByNode[Node] == 0 && !Nodes.push(Node))
    return;
  ByNode[Node] += Ticks;
}

void UseWindows::Times::clear() {
  for (uint32_t Each : Nodes)
    ByNode[Each] = 0;
  Nodes.clear();
  All = 0;
}

void UseWindows::removeFirst(Source &S) {
  ++S.First;
  ++S.Number;
  if (S.First * 2 < S.Waiting.size())
    return;
  // The rest moves to the front.
  size_t Left = S.Waiting.size() - S.First;
  for (size_t I = 0; I < Left; ++I)
    S.Waiting[I] = S.Waiting[S.First + I];
  while (S.Waiting.size() > Left)
    S.Waiting.popBack();
  S.First = 0;
}

bool UseWindows::take(const DeviceUse &Use, uint64_t Age, uint64_t Counted) {
  Source &S = Sources[static_cast<uint32_t>(Use.Source)];
  if (S.Waiting.size() != S.First) {
    Window &Last = S.Waiting.back();
    if (Last.To == UINT64_MAX) {
      Last.To = Use.Ticks;
      Last.Use = Use;
    }
  }
  uint64_t From = Use.Ticks > Age ? Use.Ticks - Age : 0;
  return S.Waiting.size() - S.First < MostWaiting &&
         S.Waiting.push({Use.Ticks, From, UINT64_MAX, {}, Counted <= From});
}

void UseWindows::pass(uint64_t From, uint64_t To, const UseOwners *Owners) {
  for (Source &S : Sources) {
    for (size_t I = S.First; I < S.Waiting.size(); ++I) {
      Window &W = S.Waiting[I];
      uint64_t Begin = From > W.From ? From : W.From;
      uint64_t End = To < W.To ? To : W.To;
      if (W.From >= To)
        break;
      uint64_t Slot = (S.Number + (I - S.First)) % 2;
      if (Owners != nullptr && End > Begin) {
        S.Kernels[Slot].add(Owners->OfKernels, End - Begin);
        S.Links[Slot].add(Owners->OfLinks, End - Begin);
      }
      if (W.To > To)
        continue;
      // The first window ends first, and its slot is free for the next but one.
      finish(W, S.Kernels[Slot], S.Links[Slot]);
      S.Kernels[Slot].clear();
      S.Links[Slot].clear();
      removeFirst(S);
      I = S.First - 1;
    }
  }
}

uint32_t UseWindows::nearestAround(uint32_t Node) {
  while (Node != LOOPSCOPE_NONE && !isAround(Tree.of(Node).Kind))
    Node = Tree.of(Node).Parent;
  return Node;
}

UseWindows::Owner UseWindows::ownerOf(Times &Of, const Window &W) {
  uint64_t Ticks = W.To - W.Begin;
  if (Of.All == 0)
    return {nearestAround(W.Use.HostNode), LOOPSCOPE_USE_OF_IDLE, 0, Ticks};
  Below.clear();
  for (uint32_t Each : Of.nodes())
    for (uint32_t At = Each; At != LOOPSCOPE_NONE; At = Tree.of(At).Parent)
      Below.add(At, Of.of(Each));
  bool IsExact = W.Use.Source == DeviceUseSource::Samples;
  Owner Found = {LOOPSCOPE_NONE, LOOPSCOPE_USE_OF_MANY, Of.All, Ticks};
  uint32_t Depth = 0;
  for (uint32_t Each : Below.nodes()) {
    NodeFacts Facts = Tree.of(Each);
    uint64_t Its = Below.of(Each);
    bool MayIdle = IsExact || isAround(Facts.Kind);
    if (!isNearlyAll(Its, W.To - W.From) &&
        !(MayIdle && isNearlyAll(Its, Of.All)))
      continue;
    if (Found.Node == LOOPSCOPE_NONE || Facts.Depth > Depth) {
      bool IsCut = IsExact && !isAround(Facts.Kind) && Of.All < Ticks;
      Found = {Each, LOOPSCOPE_USE_OF_NODE, Its, IsCut ? Of.All : Ticks};
      Depth = Facts.Depth;
    }
  }
  return Found;
}

void UseWindows::charge(const Owner &O, uint32_t Use, double Value,
                        double Integral) {
  loopscope_gpu_use *Sum =
      Store.use(O.Node, Store.device(Device).id, static_cast<uint16_t>(Use),
                static_cast<uint16_t>(O.Kind));
  if (Sum == nullptr)
    return;
  Update<loopscope_gpu_use> Writing(*Sum);
  Sum->min = Sum->windows == 0 || Value < Sum->min ? Value : Sum->min;
  Sum->max = Sum->windows == 0 || Value > Sum->max ? Value : Sum->max;
  ++Sum->windows;
  Sum->ticks += O.Ticks;
  Sum->busy_ticks += O.BusyTicks;
  Sum->integral += Integral;
}

void UseWindows::finish(const Window &W, Times &Kernels, Times &Links) {
  if (!W.IsWhole || W.Use.Known == 0 || W.To <= W.Begin)
    return;
  uint64_t Ticks = W.To - W.Begin;
  Owner Owners[2] = {ownerOf(Kernels, W), ownerOf(Links, W)};
  for (uint32_t I = 0; I < DeviceUseCount; ++I) {
    if ((W.Use.Known >> I & 1) == 0)
      continue;
    const Owner &O = Owners[isOfLinks(I) ? 1 : 0];
    double Value = W.Use.Values[I];
    charge(O, I, Value, Value * static_cast<double>(Ticks));
    if (O.Ticks < Ticks)
      charge({nearestAround(O.Node), LOOPSCOPE_USE_OF_NODE, 0, Ticks - O.Ticks},
             I, 0, 0);
  }
}
