// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all wrappers share: spans, groups, the size of tensors.

#include "calls.h"

#include "base/loaded.h"
#include "base/system.h"

#pragma GCC visibility push(default)
#include <loopscope/mpi.h>
#pragma GCC visibility pop
#include <loopscope/profile_format.h>

#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::gloo;
using namespace loopscope::runtime;

namespace {
constexpr uint32_t MostGroups = 32;
constexpr uint32_t MostSites = 256; // operations of groups; a power of two
constexpr size_t LongestName = 48;

struct Group {
  Word Of;
  bool IsWorld; // its ranks are those of the run
  char Name[LongestName];
};
// The site of an operation of a group.
struct CallSite {
  unsigned char IsUsed;
  const Operation *Of;
  const char *Group;
  loopscope_site Site;
};
// LibTorch's functions in C that take tensors; the first two return 0 unless
// they failed.
struct TensorFunctions {
  int (*Count)(const void *Tensor, int64_t *Elements);
  int (*Type)(const void *Tensor, int32_t *Type);
  size_t (*SizeOf)(int32_t Type);
};
struct State {
  unsigned char Lock; // held for a few stores
  uint32_t Made;      // groups
  uint32_t Groups;    // that are kept
  Group Known[MostGroups];
  CallSite Sites[MostSites];
  unsigned char TensorsAreKnown;
  TensorFunctions Tensors;
  uintptr_t ReducerBegin, ReducerEnd;
};
State All;

// The thread's outermost call. LibTorch's own calls are below it on the stack;
// if a new one isn't, the outermost was left by a longjmp().
struct Outer {
  const Call *Outermost; // null: none
  uint32_t Depth;        // calls that are open
  loopscope_token Token;
};
__thread Outer Mine __attribute__((tls_model("initial-exec")));

void closeSpan() {
  loopscope_token Token = Mine.Token;
  Mine = {};
  if (Token != nullptr)
    __loopscope_leave(Token);
}

class Locked {
public:
  Locked() {
    while (__atomic_test_and_set(&All.Lock, __ATOMIC_ACQUIRE))
      ;
  }
  ~Locked() { __atomic_clear(&All.Lock, __ATOMIC_RELEASE); }
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;
};

// Null: one that was made unseen, or one too many.
const Group *groupOf(Word Of) {
  uint32_t Count = __atomic_load_n(&All.Groups, __ATOMIC_ACQUIRE);
  for (uint32_t I = 0; I < Count; ++I)
    if (__atomic_load_n(&All.Known[I].Of, __ATOMIC_RELAXED) == Of)
      return &All.Known[I];
  return nullptr;
}

// Null if there are too many.
const loopscope_site *siteOf(const Operation &Of, const Group *On) {
  const char *Name = On == nullptr ? "other process groups" : On->Name;
  auto Key =
      reinterpret_cast<uintptr_t>(&Of) ^ reinterpret_cast<uintptr_t>(Name) << 5;
  auto First = static_cast<uint32_t>((Key * 0x9e3779b97f4a7c15U) >> 56);
  for (uint32_t Try = 0; Try < MostSites; ++Try) {
    CallSite &Each = All.Sites[(First + Try) % MostSites];
    if (!__atomic_load_n(&Each.IsUsed, __ATOMIC_ACQUIRE)) {
      Locked Held;
      if (!Each.IsUsed) {
        Each.Of = &Of;
        Each.Group = Name;
        Each.Site = {
            LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_WAIT, 0, Of.Name, Name, ""};
        __atomic_store_n(&Each.IsUsed, 1, __ATOMIC_RELEASE);
      }
    }
    if (Each.Of == &Of && Each.Group == Name)
      return &Each.Site;
  }
  return nullptr;
}

template <typename Function> Function findOptional(const char *Name) {
  return reinterpret_cast<Function>(findLoaded(Name).Begin);
}

// Null if this LibTorch lacks one of them.
const TensorFunctions *tensorFunctions() {
  TensorFunctions &To = All.Tensors;
  if (!__atomic_load_n(&All.TensorsAreKnown, __ATOMIC_ACQUIRE)) {
    auto Count = findOptional<decltype(To.Count)>("aoti_torch_get_numel");
    auto Type = findOptional<decltype(To.Type)>("aoti_torch_get_dtype");
    auto SizeOf =
        findOptional<decltype(To.SizeOf)>("aoti_torch_dtype_element_size");
    Locked Held;
    if (Count != nullptr && Type != nullptr)
      To = {Count, Type, SizeOf};
    __atomic_store_n(&All.TensorsAreKnown, 1, __ATOMIC_RELEASE);
  }
  return To.SizeOf == nullptr ? nullptr : &To;
}

int64_t bytesOf(const TensorFunctions &With, const void *Tensor) {
  int64_t Elements = 0;
  int32_t Type = 0;
  int64_t Bytes = 0;
  if (With.Count(Tensor, &Elements) != 0 || Elements <= 0 ||
      With.Type(Tensor, &Type) != 0 ||
      __builtin_mul_overflow(Elements, With.SizeOf(Type), &Bytes))
    return 0;
  return Bytes;
}

// A std::vector.
struct Vector {
  const char *Begin, *End, *Reserved;
};
constexpr size_t TensorSize = sizeof(void *);

int64_t bytesIn(const TensorFunctions &With, const void *Tensors) {
  const auto &All = *static_cast<const Vector *>(Tensors);
  int64_t Sum = 0;
  for (const char *Each = All.Begin; Each != All.End; Each += TensorSize)
    Sum += bytesOf(With, Each);
  return Sum;
}

int64_t bytesOf(const Operation &Of, const Word *Arguments) {
  const TensorFunctions *With =
      Of.What == Data::None ? nullptr : tensorFunctions();
  if (With == nullptr)
    return 0;
  const auto *Passed = reinterpret_cast<const void *>(Arguments[Of.At]);
  if (Of.What == Data::Tensor)
    return bytesOf(*With, Passed);
  if (Of.What == Data::Tensors)
    return bytesIn(*With, Passed);
  const auto &Lists = *static_cast<const Vector *>(Passed);
  int64_t Sum = 0;
  for (const char *Each = Lists.Begin; Each != Lists.End;
       Each += sizeof(Vector))
    Sum += bytesIn(*With, Each);
  return Sum;
}
} // namespace

/// The unwinder's personality routine of all wrappers, innermost first, with
/// what it does at the moment. They handle nothing.
extern "C" __attribute__((visibility("hidden"))) int
loopscope_gloo_left(int Version, int Doing);
int loopscope_gloo_left(int /*Version*/, int Doing) {
  constexpr int CleanupPhase = 2;
  constexpr int ContinueUnwind = 8;
  if ((Doing & CleanupPhase) == 0 || Mine.Depth == 0)
    return ContinueUnwind;
  --Mine.Depth;
  if (Mine.Depth == 0)
    closeSpan();
  return ContinueUnwind;
}

bool Call::begin(const loopscope_site *Site) {
  if (Mine.Outermost != nullptr && this < Mine.Outermost) {
    ++Mine.Depth;
    return false;
  }
  bool Records = Site != nullptr && __loopscope_gloo_records() != 0;
  Mine = {this, 1, Records ? __loopscope_enter(Site) : nullptr};
  return Mine.Token != nullptr;
}

Call::Call(const Operation &Of, const Word *Arguments) {
  const Group *On = groupOf(Arguments[0]);
  if (!begin(siteOf(Of, On)))
    return;
  int64_t Bytes = bytesOf(Of, Arguments);
  if (Bytes != 0)
    __loopscope_mpi_bytes(Mine.Token, Bytes);
  int8_t Place = Of.To >= 0 ? Of.To : Of.From;
  if (Place >= 0 && On != nullptr && On->IsWorld)
    __loopscope_mpi_peer(
        __loopscope_mpi_node(), static_cast<int>(Arguments[Place]),
        Of.To >= 0 ? LOOPSCOPE_PEER_TO : LOOPSCOPE_PEER_FROM, Bytes);
}

void Call::end() {
  if (this == Mine.Outermost)
    closeSpan();
  else if (Mine.Depth > 1)
    --Mine.Depth;
}

void loopscope::gloo::addGroup(Word Of, int Rank, int Ranks) {
  bool IsWorld = __loopscope_gloo_rank(Rank, Ranks) != 0;
  FunctionRange Reducer = findLoaded("_ZN4c10d7Reducer17finalize_backwardEv");
  Locked Held;
  __atomic_store_n(&All.ReducerEnd, Reducer.Begin + Reducer.Size,
                   __ATOMIC_RELAXED);
  __atomic_store_n(&All.ReducerBegin, Reducer.Begin, __ATOMIC_RELEASE);
  ++All.Made;
  // A group may have the address of one that is gone.
  for (uint32_t I = 0; I < All.Groups; ++I)
    if (All.Known[I].Of == Of)
      __atomic_store_n(&All.Known[I].Of, 0, __ATOMIC_RELAXED);
  if (All.Groups == MostGroups)
    return;
  Group &New = All.Known[All.Groups];
  TextBuffer<LongestName> Name;
  Name << "process group " << int64_t(All.Made) << ", " << int64_t(Ranks)
       << (Ranks == 1 ? " rank" : " ranks");
  copyHead(New.Name, sizeof(New.Name), Name.c_str());
  New.IsWorld = IsWorld;
  New.Of = Of;
  __atomic_store_n(&All.Groups, All.Groups + 1, __ATOMIC_RELEASE);
}

Word loopscope::gloo::find(const char *Name) {
  if (FunctionRange Found = findLoaded(Name); Found.Begin != 0)
    return Found.Begin;
  constexpr int AsTheDynamicLinker = 127;
  TextBuffer<256> Message;
  Message << "no library has LibTorch's function " << Name
          << ", which the program called";
  warn(Message.c_str());
  syscall(SYS_exit_group, AsTheDynamicLinker);
  __builtin_unreachable();
}

bool loopscope::gloo::isInReducer(const void *Address) {
  auto At = reinterpret_cast<uintptr_t>(Address);
  return At >= __atomic_load_n(&All.ReducerBegin, __ATOMIC_ACQUIRE) &&
         At < __atomic_load_n(&All.ReducerEnd, __ATOMIC_RELAXED);
}
