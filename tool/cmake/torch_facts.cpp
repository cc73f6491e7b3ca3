// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled against a program's LibTorch, into the program, by
// loopscope_instrument(target TORCH): says which forward operator a backward
// one belongs to. C++14 or newer, LibTorch 1.13 to 2.15.

#include <loopscope/torch_facts.h>

#include <ATen/record_function.h>
#include <torch/version.h>

namespace {
void describe(const void *Function, loopscope_torch_operator *Into) {
  const auto &Operator = *static_cast<const at::RecordFunction *>(Function);
  Into->sequence = Operator.seqNr();
  Into->thread = Operator.threadId();
  Into->forward_thread = Operator.scope() == at::RecordScope::BACKWARD_FUNCTION
                             ? Operator.forwardThreadId()
                             : 0;
}

const loopscope_torch_facts Facts = {LOOPSCOPE_TORCH_FACTS_VERSION,
                                     TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR,
                                     0, describe};

__attribute__((constructor)) void attach() { loopscope_torch_attach(&Facts); }
} // namespace
