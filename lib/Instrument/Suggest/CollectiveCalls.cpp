// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises calls that communicate with all ranks.

#include "Instrument/Suggest/CollectiveCalls.h"

#include "Instrument/Suggest/CalleeName.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <string>

namespace loopscope::instrument {
namespace {

/// These mean communication between ranks, wherever they occur in a name.
constexpr std::string_view Certain[] = {"allreduce", "allgather",
                                        "reducescatter", "alltoall"};

/// These do so only if the name shows whose they are.
constexpr std::string_view Doubtful[] = {"broadcast", "bcast",   "reduce",
                                         "gather",    "scatter", "barrier"};
constexpr std::string_view Owners[] = {
    "nccl",    "rccl",         "gloo",        "ccl::",  "c10d",  "processgroup",
    "horovod", "communicator", "distributed", "comm::", "dist::"};

/// NAME in lower case, without separators between words and without template
/// arguments.
std::string plain(std::string_view Name) {
  std::string Result = withoutArguments(Name);
  std::erase(Result, '_');
  for (char &C : Result)
    C = llvm::toLower(C);
  return Result;
}

bool hasAny(std::string_view Text, auto &Words) {
  return std::ranges::any_of(Words, [&](std::string_view Word) {
    return Text.find(Word) != std::string_view::npos;
  });
}

} // namespace

bool isCollectiveCall(std::string_view Callee) {
  size_t Scope = Callee.find('<') == std::string_view::npos
                     ? Callee.rfind("::")
                     : std::string_view::npos;
  std::string_view Last =
      Scope == std::string_view::npos ? Callee : Callee.substr(Scope + 2);
  if (Callee.starts_with("std::") || Last.starts_with("MPI_") ||
      Last.starts_with("PMPI_"))
    return false;
  std::string Name = plain(Last);
  return hasAny(Name, Certain) ||
         (hasAny(plain(Callee), Owners) &&
          std::ranges::any_of(Doubtful, [&](std::string_view Word) {
            return Name.ends_with(Word);
          }));
}

} // namespace loopscope::instrument
