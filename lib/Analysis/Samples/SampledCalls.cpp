// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses -> functions -> the tree of calls.

#include "Analysis/Samples/SampledCalls.h"

#include "Analysis/Samples/FunctionRows.h"
#include "Analysis/Samples/StartedThreads.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
// Names frames, each address once.
class Frames {
public:
  explicit Frames(const Run &R) : R(R) {}

  // The outermost first.
  std::vector<CalledFrame> of(const StackSample &S);
  // Of the samples so far.
  CodeFiles lost() { return lostFiles(R.Stacks, Used, Names); }

private:
  const std::vector<CalledFrame> &at(const CodeAddress &At);
  bool isOfSystem(uint32_t Object, const std::string &File) const;

  const Run &R;
  Symbols Names;
  std::set<uint32_t> Used; // of StackData::Objects
  std::map<CodeAddress, std::vector<CalledFrame>> Known;
};

// Whether code of OBJECT from FILE comes with the system. The files of libc's
// debug information have relative names.
bool Frames::isOfSystem(uint32_t Object, const std::string &File) const {
  if (Object == None)
    return File.empty();
  const std::string &Path = R.Stacks.Objects[Object].Path;
  bool IsProgram = Path == R.Program;
  if (!IsProgram && isSystemLibrary(Path))
    return true;
  return File.empty() ? !IsProgram : File.starts_with("/usr/");
}

const std::vector<CalledFrame> &Frames::at(const CodeAddress &At) {
  auto [Found, IsNew] = Known.try_emplace(At);
  if (!IsNew)
    return Found->second;
  if (At.Object != None)
    Used.insert(At.Object);
  StackSample One;
  One.Frames = {At};
  std::vector<SampleFrame> All = framesOf(R.Stacks, One, Names);
  for (auto Each = All.rbegin(); Each != All.rend(); ++Each) {
    CalledFrame Next;
    const SourceFrame &Source = Each->Source;
    if (At.Object != None)
      Next.Library =
          fs::path(R.Stacks.Objects[At.Object].Path).filename().string();
    Next.Function = !Source.Function.empty() ? Source.Function
                    : Source.Start != 0
                        ? fmt::format("{}+{:#x}", Next.Library, Source.Start)
                        : frameName(Source, At.Object != None);
    Next.File = Source.File;
    Next.FirstLine = Source.FirstLine;
    Next.LineFile = Source.LineFile;
    Next.Line = Source.Line;
    Next.At = At;
    Next.IsVirtual = Source.IsVirtual;
    Next.IsInlined = Each != All.rbegin();
    Next.IsSystem = isOfSystem(At.Object, Source.File);
    Found->second.push_back(std::move(Next));
  }
  return Found->second;
}

std::vector<CalledFrame> Frames::of(const StackSample &S) {
  std::vector<CalledFrame> Result;
  for (auto Each = S.Frames.rbegin(); Each != S.Frames.rend(); ++Each) {
    const std::vector<CalledFrame> &Here = at(*Each);
    Result.insert(Result.end(), Here.begin(), Here.end());
  }
  return Result;
}

bool isLibrary(const CalledFrame &Of,
               std::initializer_list<const char *> Names) {
  return std::any_of(Names.begin(), Names.end(), [&](const char *Each) {
    return Of.Library.starts_with(Each);
  });
}

// The first frame that isn't the C or C++ library's.
const CalledFrame &firstOwn(const std::vector<CalledFrame> &Stack) {
  for (const CalledFrame &Each : Stack)
    if (!isLibrary(Each, {"libc.", "libpthread", "libstdc++", "libc++", "ld-"}))
      return Each;
  return Stack.front();
}

bool isMainThread(const Run &R, const StackSample &S) {
  return S.Thread != None ? R.Threads[S.Thread].IsMain
                          : S.ThreadId == static_cast<uint32_t>(R.Pid);
}

// Adds one step of a stack to AT: FROM, which is nullptr at the stack's start,
// calls TO.
Called &callee(Called &At, const CalledFrame *From, const CalledFrame &To,
               bool IsGuessed) {
  CallSite Site{};
  if (From != nullptr)
    Site = From->Line != 0 ? CallSite{From->LineFile, From->Line, 0}
                           : CallSite{"", 0, From->At.Address};
  std::unique_ptr<Called> &Result = At.Calls[{Site, To.Function}];
  if (!Result) {
    Result = std::make_unique<Called>();
    Result->Of = To;
  }
  Result->IsInlined |= To.IsInlined;
  if (From != nullptr && !IsGuessed)
    Result->Instructions.insert(From->At);
  if (Result->IsInlined)
    Result->Instructions.clear();
  return *Result;
}

// "/usr/include/dlib/dnn/trainer.h": /usr/include/dlib. A header that is in no
// folder of its own is meant by its name.
std::string headersOf(const std::string &File) {
  constexpr std::string_view Include = "/include/";
  size_t At = File.find(Include);
  size_t End =
      At == std::string::npos ? At : File.find('/', At + Include.size());
  return File.substr(0, End);
}

bool isOfProgram(const Run &R, const CalledFrame &Of) {
  return Of.At.Object != None &&
         R.Stacks.Objects[Of.At.Object].Path == R.Program;
}

// Adds S, whose stack begins at OUTERMOST and comes to headers at HEADER.
void add(const StackSample &S,
         std::vector<CalledFrame>::const_iterator Outermost,
         std::vector<CalledFrame>::const_iterator Header, HeaderSamples &To) {
  To.Count += S.Count;
  for (; Header != Outermost; --Header)
    if (const CalledFrame &In = *std::prev(Header);
        !In.IsSystem && In.Line != 0) {
      To.From[{In.LineFile, In.Line, Header->Function}] += S.Count;
      return;
    }
}

void add(const StackSample &S, const std::vector<CalledFrame> &Stack,
         Called &Root) {
  Called *At = &Root;
  At->Count += S.Count;
  const CalledFrame *From = nullptr;
  for (const CalledFrame &Each : Stack) {
    At = &callee(*At, From, Each, S.IsGuessed);
    At->Count += S.Count;
    At->Innermost[Stack.back().Function] += S.Count;
    From = &Each;
  }
  At->Own += S.Count;
  if (Stack.back().LineFile == Stack.back().File)
    At->OwnLines[Stack.back().Line] += S.Count;
}
} // namespace

SampledCalls loopscope::sampledCalls(const Run &R) {
  SampledCalls Result;
  Frames Names(R);
  std::map<std::string, ThreadGroup> Groups;
  std::set<std::pair<uint32_t, uint32_t>> Threads;
  for (const StackSample &S : R.Stacks.Samples) {
    std::vector<CalledFrame> Stack = Names.of(S);
    Result.Samples += S.Count;
    Result.Whole += S.IsWhole ? S.Count : 0;
    Result.Guessed += S.IsGuessed ? S.Count : 0;
    Threads.insert({S.Thread, S.ThreadId});
    Result.Innermost[{Stack.back().Function, Stack.back().Library}] += S.Count;
    for (const CalledFrame &Each : Stack)
      Result.HasLines |=
          Each.Line != 0 && (!Each.IsSystem || isOfProgram(R, Each));
    auto Header = std::ranges::find_if(Stack, [&](const CalledFrame &Each) {
      return Each.IsSystem && Each.Line != 0 && isOfProgram(R, Each) &&
             !Each.File.starts_with("/usr/include/c++/");
    });
    if (Header != Stack.end())
      add(S, Stack.begin(), Header, Result.Headers[headersOf(Header->File)]);
    const CalledFrame &First = firstOwn(Stack);
    bool IsMain = isMainThread(R, S);
    ThreadGroup &To = Groups[IsMain ? "main" : First.Function];
    To.Name = IsMain ? "main" : First.Function;
    To.Serves = !IsMain && isLibrary(First, {"libgomp", "libomp", "libiomp",
                                             "libopenblas", "libtbb"});
    To.Ids.insert(S.Thread != None ? R.Threads[S.Thread].Tid
                                   : int64_t{S.ThreadId});
    add(S, Stack, To.Root);
  }
  Result.Threads = Threads.size();
  Result.Lost = Names.lost();
  for (auto &[Name, Each] : Groups)
    Result.Groups.push_back(std::move(Each));
  joinStartedThreads(Result.Groups);
  return Result;
}
