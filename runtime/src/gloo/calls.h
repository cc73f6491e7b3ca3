// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LibTorch's operations with Gloo, and its waits for other ranks, as spans,
// without LibTorch's headers.
//
//   LibTorch -> a function of ours with the name of its own -> Call: a span
//            -> the function of LibTorch, found at the first call
//
// LibTorch calls these functions through tables of virtual functions and the
// linker's tables, both of which hold what the name means first in the process:
// ours, in a program or a preloaded library that defines it. A mangled name
// fixes the parameters, so it means the same in every version of LibTorch.
//
// Every parameter is an int, a pointer, a reference, or an object of one
// integer: a word. An object with a destructor comes back in memory.

#ifndef LOOPSCOPE_GLOO_CALLS_H
#define LOOPSCOPE_GLOO_CALLS_H

#include <loopscope/loopscope.h>

#include <stdint.h>

namespace loopscope::gloo {

using Word = uintptr_t;

/// What a parameter has the data of.
enum class Data : uint8_t {
  None,
  Tensor,  ///< at::Tensor
  Tensors, ///< std::vector<at::Tensor>
  Lists    ///< std::vector<std::vector<at::Tensor>>
};

/// An operation of a group, whose parameters are counted from the group on.
struct Operation {
  const char *Name;
  Data What = Data::None;
  int8_t At = -1;   ///< parameter with the data that the rank puts in or gets
  int8_t To = -1;   ///< parameter with the rank that it sends to
  int8_t From = -1; ///< or receives from
};

/// A call on the wrapper's stack. Only the thread's outermost one has a span.
/// Unwinding by an exception ends it, too; the wrapper is to be
/// LOOPSCOPE_GLOO_UNWINDS.
class Call {
public:
  /// A wait for other ranks.
  explicit Call(const loopscope_site *Site) { begin(Site); }
  /// An operation, which is called with ARGUMENTS.
  Call(const Operation &Of, const Word *Arguments);
  void end();

private:
  bool begin(const loopscope_site *Site);
};

/// Notes that GROUP was made for rank RANK of RANKS.
void addGroup(Word Group, int Rank, int Ranks);

/// Address of the function NAME of LibTorch, which is never unloaded
/// (STB_GNU_UNIQUE); ends the process, as the dynamic linker does, if there is
/// none.
Word find(const char *Name);

/// Whether ADDRESS is in the function in which data parallel training waits for
/// its gradients.
bool isInReducer(const void *Address);

} // namespace loopscope::gloo

/// Programs with LibTorch are linked with --undefined=loopscope_gloo, which
/// takes all wrappers from the archive.
extern "C" __attribute__((visibility("hidden")))
const void *const loopscope_gloo;
extern "C" __attribute__((visibility("hidden")))
const char loopscope_gloo_waits;

/// The first statement of a wrapper. If an exception leaves the function, the
/// unwinder calls loopscope_gloo_left(): no handler of a language takes part,
/// of which a program without C++ has none.
#define LOOPSCOPE_GLOO_UNWINDS                                                 \
  __asm__ volatile(".cfi_personality 0x1b, loopscope_gloo_left")

/// Declares FUNCTION(PARAMETERS), which is called SYMBOL. Weak, so that a
/// static LibTorch keeps its own.
#define LOOPSCOPE_GLOO_FUNCTION(RESULT, FUNCTION, SYMBOL, ...)                 \
  __attribute__((weak, noinline, visibility("default"))) RESULT FUNCTION(      \
      __VA_ARGS__) __asm__(SYMBOL)

/// LibTorch's function SYMBOL, as one of the TYPE that is given.
#define LOOPSCOPE_GLOO_REAL(TYPE, SYMBOL)                                      \
  ([]() -> TYPE {                                                              \
    static loopscope::gloo::Word Known = 0;                                    \
    loopscope::gloo::Word Real = __atomic_load_n(&Known, __ATOMIC_RELAXED);    \
    if (__builtin_expect(Real == 0, false)) {                                  \
      Real = loopscope::gloo::find(SYMBOL);                                    \
      __atomic_store_n(&Known, Real, __ATOMIC_RELAXED);                        \
    }                                                                          \
    return reinterpret_cast<TYPE>(Real);                                       \
  }())

#endif // LOOPSCOPE_GLOO_CALLS_H
