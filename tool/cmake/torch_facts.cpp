// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled against a program's LibTorch, into the program, by
// loopscope_instrument(target TORCH): says which forward operator a backward
// one belongs to, and what operators were called with. C++14 or newer, LibTorch
// 1.13 to 2.15.

// LibTorch was built so: without it, inputs() asserts a flag that only a debug
// build of LibTorch sets.
#ifndef NDEBUG
#define NDEBUG
#endif

#include <loopscope/torch_facts.h>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>
#include <torch/version.h>

#include <cstring>
#include <string>

namespace {
void describe(const void *Function, loopscope_torch_operator *Into) {
  const auto &Operator = *static_cast<const at::RecordFunction *>(Function);
  Into->sequence = Operator.seqNr();
  Into->thread = Operator.threadId();
  Into->forward_thread = Operator.scope() == at::RecordScope::BACKWARD_FUNCTION
                             ? Operator.forwardThreadId()
                             : 0;
}

// Lists of numbers are told up to this length, as LibTorch's profiler does.
constexpr size_t LongestList = 30;

// An input as LibTorch's profiler shows it: of tensors the sizes and the type.
struct Input {
  c10::IntArrayRef Sizes;
  const char *Type; // of each type always the same address
  size_t TypeLength;
};

template <size_t N> Input noTensor(const char (&Type)[N]) {
  return {{}, Type, N - 1};
}

bool isScalarList(const c10::IValue &Value) {
  if (!Value.isList())
    return false;
  const auto List = Value.toListRef();
  return List.empty() || (List[0].isScalar() && List.size() <= LongestList);
}

Input inputOf(const c10::IValue &Value) {
  if (Value.isTensor()) {
    const at::Tensor &Tensor = Value.toTensor();
    if (!Tensor.defined() || Tensor.is_nested())
      return noTensor("-");
    const auto Type = Tensor.dtype().name();
    return {Tensor.sizes(), Type.data(), Type.size()};
  }
  if (Value.isScalar())
    return noTensor("Scalar");
  if (Value.isTensorList())
    return noTensor("TensorList");
  return isScalarList(Value) ? noTensor("ScalarList") : noTensor("-");
}

// Calls VISIT with each input. Sizes may be symbols, where LibTorch throws.
template <typename Function>
void forEachInput(const void *Operator, Function Visit) {
  for (const c10::IValue &Value :
       static_cast<const at::RecordFunction *>(Operator)->inputs()) {
    Input Is = noTensor("-");
    try {
      Is = inputOf(Value);
    } catch (...) {
      Is = noTensor("-");
    }
    Visit(Is);
  }
}

void mix(uint64_t &Hash, uint64_t Word) {
  Hash = (Hash ^ Word) * 0xff51afd7ed558ccdU;
  Hash ^= Hash >> 32;
}

uint64_t hashInputs(const void *Function) {
  uint64_t Hash = 0x9e3779b97f4a7c15U;
  forEachInput(Function, [&Hash](const Input &Is) {
    mix(Hash, reinterpret_cast<uintptr_t>(Is.Type));
    mix(Hash, Is.Sizes.size());
    for (const int64_t Size : Is.Sizes)
      mix(Hash, static_cast<uint64_t>(Size));
  });
  return Hash;
}

std::string shapeOf(const Input &Is) {
  std::string Result;
  for (const int64_t Size : Is.Sizes)
    Result += (Result.empty() ? "" : ", ") + std::to_string(Size);
  return "[" + Result + "]";
}

std::string typeOf(const Input &Is) { return {Is.Type, Is.TypeLength}; }

// What WORD_OF says of the inputs, in at most LONGEST bytes.
std::string listOf(const void *Operator, size_t Longest,
                   std::string (*WordOf)(const Input &)) {
  const std::string Cut = "...]";
  std::string Result = "[";
  bool IsCut = false;
  forEachInput(Operator, [&](const Input &Is) {
    const std::string Word = WordOf(Is) + ", ";
    IsCut |= Result.size() + Word.size() + Cut.size() > Longest;
    if (!IsCut)
      Result += Word;
  });
  if (IsCut)
    return Result + Cut;
  if (Result.size() > 1)
    Result.resize(Result.size() - 2);
  return Result + "]";
}

void writeInputs(const void *Function, char *Text, size_t Size) {
  const size_t Longest = Size / 2 - 1;
  try {
    const std::string Inputs = listOf(Function, Longest, shapeOf) + " " +
                               listOf(Function, Longest, typeOf);
    std::memcpy(Text, Inputs.c_str(), Inputs.size() + 1);
  } catch (...) { // no memory
    *Text = 0;
  }
}

const loopscope_torch_facts Facts = {LOOPSCOPE_TORCH_FACTS_VERSION,
                                     TORCH_VERSION_MAJOR,
                                     TORCH_VERSION_MINOR,
                                     0,
                                     describe,
                                     hashInputs,
                                     writeInputs};

__attribute__((constructor)) void attach() { loopscope_torch_attach(&Facts); }
} // namespace
