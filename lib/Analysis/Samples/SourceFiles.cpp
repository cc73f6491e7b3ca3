// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files are read when they are first asked for.

#include "Analysis/Samples/SourceFiles.h"

#include "Support/Paths.h"
#include "Symbols/Demangle.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <system_error>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
// A library's own name for one of its public functions: __printf, _IO_fread.
bool isAliasOf(std::string_view Name, std::string_view Public) {
  if (!Name.starts_with('_') || !Name.ends_with(Public))
    return false;
  std::string_view Prefix = Name.substr(0, Name.size() - Public.size());
  return std::all_of(Prefix.begin(), Prefix.end(),
                     [](char C) { return C == '_' || (C >= 'A' && C <= 'Z'); });
}
} // namespace

SourceFiles::SourceFiles(const std::string &Program) {
  std::error_code Failed;
  Linked = fs::last_write_time(Program, Failed);
  IsKnown = !Failed;
}

const SourceFiles::Content &SourceFiles::of(const std::string &File) {
  auto [Found, IsNew] = Known.try_emplace(File);
  std::error_code Failed;
  if (!IsNew || !IsKnown || fs::last_write_time(File, Failed) > Linked ||
      Failed)
    return Found->second;
  std::string Text = readFile(File);
  Found->second = {sourceBlocks(Text), sourceCalls(Text)};
  return Found->second;
}

std::vector<SourceLoop> SourceFiles::around(const std::string &File,
                                            uint32_t Line) {
  std::vector<SourceLoop> Result;
  for (const SourceLoop &Each : of(File).Blocks.Loops)
    if (Each.First <= Line && Line <= Each.Last)
      Result.push_back(Each);
  return Result;
}

uint32_t SourceFiles::numberOf(const std::string &File, uint32_t Line,
                               const SourceLoop &Loop) {
  for (uint32_t Macro : of(File).Blocks.Macros)
    if (Line < Macro && Macro < Loop.First)
      return 0;
  const std::map<uint32_t, uint32_t> &Depths = of(File).Blocks.Conditionals;
  auto DepthAt = [&](uint32_t At) {
    auto After = Depths.upper_bound(At);
    return After == Depths.begin() ? 0 : std::prev(After)->second;
  };
  for (const SourceLoop &Each : of(File).Blocks.Loops)
    if (Each.First > Line && Each.First < Loop.First &&
        DepthAt(Each.First) != DepthAt(Line))
      return 0;
  uint32_t Result = 0;
  for (const SourceLoop &Each : of(File).Blocks.Loops)
    Result += Each.First >= Line &&
                      (Each.First < Loop.First ||
                       (Each.First == Loop.First && Each.Last >= Loop.Last))
                  ? 1
                  : 0;
  return Result;
}

std::string SourceFiles::onlyVariable(const std::string &File, uint32_t Line,
                                      const SourceLoop &Loop) {
  uint32_t End = UINT32_MAX;
  for (const SourceCall &Each : of(File).Calls)
    if (Each.IsDefinition && Each.Line > Loop.Last)
      End = std::min(End, Each.Line);
  auto IsSame = [&](const SourceLoop &Each) {
    return Each.First >= Line && Each.First < End &&
           Each.Variable == Loop.Variable;
  };
  return std::ranges::count_if(of(File).Blocks.Loops, IsSame) == 1
             ? Loop.Variable
             : "";
}

SourceLoop SourceFiles::loopAt(const std::string &File, uint32_t First,
                               uint32_t Last) {
  for (const SourceLoop &Each : of(File).Blocks.Loops)
    if (Each.First == First && Each.Last == Last)
      return Each;
  return {First, Last, {}, {}};
}

size_t SourceFiles::loopsIn(const std::string &File, const SourceLoop &Loop) {
  size_t Result = 0;
  uint32_t Last = 0; // of the one before: outer ones come first
  for (const SourceLoop &Each : of(File).Blocks.Loops)
    if (Each.First > Loop.First && Each.Last <= Loop.Last &&
        Each.First > Last) {
      ++Result;
      Last = Each.Last;
    }
  return Result;
}

bool SourceFiles::hasOverloads(const std::string &Function,
                               const std::string &File) {
  std::string Plain = plainName(Function);
  return std::ranges::count_if(of(File).Calls, [&](const SourceCall &Each) {
           return Each.IsDefinition && Each.Name == Plain;
         }) > 1;
}

bool SourceFiles::callsOneOf(std::initializer_list<std::string_view> Names,
                             const std::string &File, const SourceLoop &Loop) {
  return std::ranges::any_of(of(File).Calls, [&](const SourceCall &Each) {
    return Each.Line >= Loop.First && Each.Line <= Loop.Last &&
           std::ranges::find(Names, Each.Name) != Names.end();
  });
}

bool SourceFiles::waits(const std::string &File, const SourceLoop &Loop) {
  return callsOneOf({"wait", "wait_for", "wait_until", "acquire",
                     "pthread_cond_wait", "pthread_cond_timedwait",
                     "pthread_barrier_wait", "sem_wait", "cnd_wait"},
                    File, Loop);
}

bool SourceFiles::joins(const std::string &File, const SourceLoop &Loop) {
  return callsOneOf({"join", "pthread_join", "thrd_join", "get", "wait"}, File,
                    Loop);
}

CallInSource SourceFiles::callOf(const std::string &Function,
                                 const std::string &File, uint32_t Line,
                                 uint32_t FirstLine, bool IsSystem) {
  std::string Plain = plainName(Function);
  CallInSource Result;
  Result.IsInHead = true;
  size_t Calls = 0;
  for (const SourceCall &Each : of(File).Calls) {
    bool IsNamed =
        Each.Name == Plain || (IsSystem && isAliasOf(Plain, Each.Name));
    Calls += IsNamed && Each.Line >= FirstLine ? 1 : 0;
    if (Each.Line != Line)
      continue;
    Result.HasCalls = true;
    if (!IsNamed)
      continue;
    Result.Name = Each.Name;
    Result.IsInHead &= Each.IsInHead;
  }
  Result.IsInHead &= !Result.Name.empty();
  Result.HasOthers = Calls > 1;
  return Result;
}

bool SourceFiles::hasDefinition(const std::string &Function,
                                const std::string &File, uint32_t Line) {
  std::string Plain = plainName(Function);
  if (Plain == "operator()")
    Plain = "operator"; // as its definition looks like a call
  return std::ranges::any_of(of(File).Calls, [&](const SourceCall &Each) {
    return Each.Line == Line && Each.Name == Plain;
  });
}
