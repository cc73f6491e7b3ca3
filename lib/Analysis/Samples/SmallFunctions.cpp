// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds hooks that switched themselves off, and functions that samples show as
// inlined.

#include "Analysis/Samples/SmallFunctions.h"

#include "Support/Paths.h"
#include "Symbols/Symbols.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
// PLACE is "FILE:LINE:COLUMN".
FunctionPlace placeOf(const std::string &Place, const std::string &Name) {
  size_t Column = Place.rfind(':');
  size_t Line = Column == 0 ? Place.npos : Place.rfind(':', Column - 1);
  if (Column == Place.npos || Line == Place.npos)
    return {Place, Name, 0};
  FunctionPlace Result = {Place.substr(0, Line), Name, 0};
  std::from_chars(Place.data() + Line + 1, Place.data() + Column, Result.Line);
  return Result;
}

std::vector<JudgedFunction> hookedFunctions(const Run &R) {
  std::vector<JudgedFunction> Result;
  for (const auto &[Place, Name] : R.Lost.SmallFunctions)
    Result.push_back({placeOf(Place, Name), HookWorth::NotWorth});
  for (const Site &S : R.Sites)
    if (S.Kind == LOOPSCOPE_KIND_FUNCTION)
      Result.push_back(
          {{S.File, S.Name.empty() ? S.Function : S.Name, S.Line},
           S.OffSinceNs >= 0 ? HookWorth::NotWorth : HookWorth::Worth});
  return Result;
}

// What all samples show about a function.
struct Seen {
  bool Inlined = false;
  bool AsItself = false; // a function of the machine code
  bool Calling = false;  // one of these
};

// By file, name and line; without the system's.
using SeenFunctions =
    std::map<std::tuple<std::string, std::string, uint32_t>, Seen>;

SeenFunctions seenFunctions(const StackData &Stacks) {
  SeenFunctions Result;
  Symbols Names;
  for (const StackSample &S : Stacks.Samples)
    for (size_t I = 0; I < S.Frames.size(); ++I) {
      const CodeAddress &At = S.Frames[I];
      if (At.Object == None)
        continue;
      const CodeObject &O = Stacks.Objects[At.Object];
      // Packages can add its debug information, but nobody instruments it.
      if (isSystemLibrary(O.Path))
        continue;
      std::vector<SourceFrame> Here =
          Names.framesAt(O.Path, O.BuildId, At.Address);
      for (const SourceFrame &Each : Here) {
        if (Each.FirstLine == 0)
          continue;
        Seen &Of = Result[{Each.File, Each.Function, Each.FirstLine}];
        bool IsOutermost = &Each == &Here.back();
        Of.Inlined |= !IsOutermost;
        Of.AsItself |= IsOutermost;
        Of.Calling |= I != 0;
      }
    }
  return Result;
}
} // namespace

Result<std::vector<JudgedFunction>> loopscope::judgedFunctions(const Run &R) {
  std::vector<JudgedFunction> Result = hookedFunctions(R);
  if (!Result.empty())
    return Result;
  if (R.Stacks.Samples.empty())
    return Error{fmt::format(
        "{}: has neither functions nor samples; record it in function mode "
        "with LOOPSCOPE=advanced, or with LOOPSCOPE=stacks",
        R.Path)};
  for (const auto &[Place, Of] : seenFunctions(R.Stacks)) {
    const auto &[File, Name, Line] = Place;
    bool IsSmall = Of.Inlined && !Of.AsItself && !Of.Calling;
    Result.push_back(
        {{File, Name, Line},
         IsSmall ? HookWorth::NotWorthWithoutLoop : HookWorth::Worth});
  }
  if (Result.empty())
    return Error{
        fmt::format("{}: its samples don't say which functions were inlined: "
                    "the program has no debug information (-g), it was rebuilt "
                    "since, or libdw isn't installed",
                    R.Path)};
  return Result;
}
