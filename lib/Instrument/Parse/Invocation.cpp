// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates a real compiler's command line for Clang.

#include "Instrument/Parse/Invocation.h"

#include "Instrument/Parse/CompilerQuery.h"
#include "Launch/CommandLine.h"
#include "Launch/OptionTable.h"
#include "Support/Paths.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>

using namespace loopscope::launch;

namespace loopscope::instrument {
namespace {

bool contains(const auto &List, std::string_view Word) {
  return std::ranges::find(List, Word) != std::ranges::end(List);
}

/// Appends O in the spelling that every compiler accepts.
void append(std::vector<std::string> &Words, const Option &O) {
  if (O.Value.empty() && O.Length == 1) {
    Words.push_back(O.Name);
    return;
  }
  if (O.Name.starts_with("--") || O.Name == "-stdlib") {
    Words.push_back(O.Name + "=" + O.Value);
    return;
  }
  Words.push_back(O.Name);
  Words.push_back(O.Value);
}

/// Appends the forced header PATH, past Clang's driver: that would take its
/// precompiled form, in which marks can't be found.
void appendForced(std::vector<std::string> &Words, const std::string &Path) {
  Words.insert(Words.end(), {"-Xclang", "-include", "-Xclang", Path});
}

/// The elements of a comma-separated list, as used by nvcc and -Wp.
std::vector<std::string> splitCommas(std::string_view List) {
  std::vector<std::string> Parts;
  for (std::size_t Begin = 0; Begin <= List.size();) {
    std::size_t End = std::min(List.find(',', Begin), List.size());
    if (End > Begin)
      Parts.emplace_back(List.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  return Parts;
}

/// The host compiler's options, as readOption gives them, with those inside
/// -Wp, -Xpreprocessor, -Xclang and nvcc's -Xcompiler as options of their own.
std::vector<Option> flatten(const CommandLine &Line) {
  std::vector<Option> Flat;
  std::vector<std::string> Carried; // Words for the same option parser.
  auto Flush = [&] {
    for (std::size_t I = 0; I < Carried.size(); ++I)
      if (Carried[I].starts_with("-")) {
        Option O = readOption(Carried, I, Family::Gcc);
        I += O.Length - 1;
        Flat.push_back(std::move(O));
      }
    Carried.clear();
  };
  for (const Option &O : Line.Options) {
    bool Single = O.Name == "-Xclang" || O.Name == "-Xpreprocessor";
    if (Single) {
      Carried.push_back(O.Value);
      continue;
    }
    if (O.Name == "-Xcompiler") {
      std::vector<std::string> Parts = splitCommas(O.Value);
      Carried.insert(Carried.end(), Parts.begin(), Parts.end());
      continue;
    }
    Flush();
    if (O.Name.starts_with("-Wp,"))
      Carried = splitCommas(std::string_view(O.Name).substr(4));
    else
      Flat.push_back(O);
  }
  Flush();
  return Flat;
}

class Translator {
public:
  Translator(const CommandLine &Line, const std::string &Directory,
             const std::string &Resources)
      : Line(Line), Directory(Directory), Resources(Resources),
        Flat(flatten(Line)) {}

  Result<Invocation> translate(const Source &S) {
    bool Cuda = S.Language == "cuda";
    bool CPlusPlus = S.Language != "c" && S.Language != "c-header";
    Result<CompilerFacts> Facts = query(CPlusPlus ? "c++" : "c");
    if (!Facts)
      return Facts.error();
    Invocation I;
    I.File = S.Path;
    std::vector<std::string> &Words = I.Command;
    Words.emplace_back(CPlusPlus ? "clang++" : "clang");
    Words.insert(Words.end(), {"-resource-dir", Resources});
    if (!Facts->Target.empty() && !Cuda)
      Words.push_back("--target=" + Facts->Target);
    addOptions(Words, S, *Facts);
    if (Line.Kind == Family::Nvcc)
      if (std::optional<Error> Why = addCuda(Words, Cuda))
        return *Why;
    addSystem(Words, *Facts);
    Words.insert(Words.end(), {"-x", S.Language, dotted(S.Path)});
    I.IsGcc = isGcc();
    I.OwnDirectories = std::move(Facts->OwnDirectories);
    I.Unknown = unknown(standard(S, *Facts));
    return I;
  }

private:
  bool isGcc() const { return Line.Kind != Family::Clang; }

  /// PATH with the prefix that Invocation::IsGcc describes.
  std::string dotted(const std::string &Path) const {
    return isGcc() && (Path == "." || Path.starts_with("./")) ? "./" + Path
                                                              : Path;
  }

  /// The compiler of the host's code.
  std::string hostCompiler() const {
    if (Line.Kind != Family::Nvcc)
      return Line.Compiler;
    std::string Host = Line.lastValue("-ccbin").value_or("g++");
    std::error_code Why;
    if (std::filesystem::is_directory(absoluteIn(Host, Directory), Why))
      Host += "/g++";
    return Host;
  }

  Result<CompilerFacts> query(const std::string &Language) const {
    std::vector<std::string> Flags;
    for (const Option &O : Flat)
      if ((O.Uses & Asked) != 0)
        append(Flags, O);
    // A command with many sources, and a database of many commands, ask the
    // same questions.
    static std::mutex Lock;
    static std::map<std::vector<std::string>, Result<CompilerFacts>> Known;
    std::vector<std::string> Key = Flags;
    Key.insert(Key.end(), {hostCompiler(), Language, Directory});
    std::lock_guard Guard(Lock);
    auto Found = Known.find(Key);
    if (Found == Known.end())
      Found = Known
                  .emplace(std::move(Key), queryCompiler(hostCompiler(), Flags,
                                                         Language, Directory))
                  .first;
    return Found->second;
  }

  void addOptions(std::vector<std::string> &Words, const Source &S,
                  const CompilerFacts &Facts) const {
    // GCC's own limits, if Clang's are lower.
    if (Line.Kind != Family::Clang)
      Words.insert(Words.end(),
                   {"-fconstexpr-steps=33554432", "-fbracket-depth=2048"});
    for (const Option &O : Flat) {
      if (O.Name == "-include")
        appendForced(Words, dotted(O.Value));
      else if ((O.Uses & Kept) != 0)
        append(Words, (O.Uses & KeptPath) != 0
                          ? Option{O.Name, dotted(O.Value), 0, 2}
                          : O);
      else if ((O.Uses & Translated) != 0)
        addTranslated(Words, O);
    }
    std::string Standard = standard(S, Facts);
    if (!Standard.empty() && !Line.has("-ansi"))
      Words.push_back("-std=" + Standard);
  }

  std::string standard(const Source &S, const CompilerFacts &Facts) const {
    std::string Standard;
    for (const Option &O : Flat)
      if (O.Name == "-std")
        Standard = O.Value;
    // In a command with several languages, -std may be for another one.
    bool CPlusPlus = S.Language != "c" && S.Language != "c-header";
    if (Standard.empty() || (Standard.find("++") != Standard.npos) != CPlusPlus)
      return Facts.Standard;
    return Standard;
  }

  static void addTranslated(std::vector<std::string> &Words, const Option &O) {
    constexpr std::string_view OpsLimit = "-fconstexpr-ops-limit=";
    if (O.Name.starts_with(OpsLimit))
      Words.push_back("-fconstexpr-steps=" + O.Name.substr(OpsLimit.size()));
    else if (O.Name == "-ftemplate-depth")
      Words.push_back("-ftemplate-depth=" + O.Value);
    else if (O.Name == "-fsanitize=address")
      Words.emplace_back("-D__SANITIZE_ADDRESS__=1");
    else if (O.Name == "-fsanitize=thread")
      Words.emplace_back("-D__SANITIZE_THREAD__=1");
    else if (O.Name == "-O" || isOptimisation(O.Name))
      Words.emplace_back(O.Name == "-O" ? "-O" + O.Value : O.Name);
  }

  /// Whether C++20's concepts are part of STANDARD.
  static bool hasConcepts(std::string_view Standard) {
    constexpr std::array<std::string_view, 8> Older = {"98", "03", "0x", "11",
                                                       "1y", "14", "1z", "17"};
    return std::ranges::none_of(
        Older, [&](std::string_view Year) { return Standard.ends_with(Year); });
  }

  /// The options that a parse by STANDARD leaves out; see Invocation::Unknown.
  std::vector<std::string> unknown(std::string_view Standard) const {
    std::vector<std::string> All;
    for (const Option &O : Flat)
      if ((O.Uses & Unknown) != 0 ||
          (O.Name == "-fconcepts" && !hasConcepts(Standard)))
        All.push_back(O.Value.empty() ? O.Name : O.Name + " " + O.Value);
    return All;
  }

  static bool isOptimisation(std::string_view Name) {
    constexpr std::array<std::string_view, 7> Levels = {
        "-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Ofast"};
    return contains(Levels, Name);
  }

  /// Clang's own headers take the place of the real compiler's; those that
  /// Clang lacks (omp.h) come last.
  void addSystem(std::vector<std::string> &Words,
                 const CompilerFacts &Facts) const {
    Words.emplace_back("-nostdinc");
    auto Add = [&](const std::string &Path) {
      Words.insert(Words.end(),
                   {"-Xclang", "-internal-isystem", "-Xclang", Path});
    };
    for (std::size_t I = 0; I <= Facts.SystemDirectories.size(); ++I) {
      if (I == Facts.OwnPlace)
        Add(Resources + "/include");
      if (I < Facts.SystemDirectories.size())
        Add(Facts.SystemDirectories[I]);
    }
    for (const std::string &Each : Facts.OwnDirectories)
      Words.insert(Words.end(), {"-idirafter", Each});
  }

  std::optional<Error> addCuda(std::vector<std::string> &Words,
                               bool Cuda) const {
    Result<CudaFacts> Facts = queryCuda(Line.Compiler, Directory);
    if (!Facts)
      return Facts.error();
    for (const std::string &Each : Facts->Directories)
      Words.insert(Words.end(), {"-isystem", Each});
    Words.emplace_back("-D__NVCC__");
    if (!Facts->MajorVersion.empty())
      Words.insert(Words.end(),
                   {"-D__CUDACC_VER_MAJOR__=" + Facts->MajorVersion,
                    "-D__CUDACC_VER_MINOR__=" + Facts->MinorVersion});
    if (!Cuda)
      return std::nullopt;
    Words.insert(Words.end(),
                 {"--cuda-host-only", "-nocudalib", "--no-cuda-version-check",
                  "-Wno-unknown-cuda-version", "--cuda-path=" + Facts->Root});
    if (std::string List = architectures(); !List.empty())
      Words.push_back("-D__CUDA_ARCH_LIST__=" + List);
    if (Line.has("-dc") || isTrue("-rdc"))
      Words.insert(Words.end(), {"-fgpu-rdc", "-D__CUDACC_RDC__"});
    if (Line.has("-extended-lambda"))
      Words.emplace_back("-D__CUDACC_EXTENDED_LAMBDA__");
    if (Line.has("-expt-relaxed-constexpr"))
      Words.emplace_back("-D__CUDACC_RELAXED_CONSTEXPR__");
    if (Line.lastValue("-default-stream") == "per-thread")
      Words.emplace_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    // After the user's forced includes, like all of ours.
    appendForced(Words, "loopscope/clang_cuda.h");
    return std::nullopt;
  }

  bool isTrue(std::string_view Name) const {
    return Line.lastValue(Name) == "true";
  }

  /// The value of nvcc's __CUDA_ARCH_LIST__: "800,900" for sm_80 and sm_90.
  std::string architectures() const {
    std::set<unsigned> Known;
    for (const Option &O : Line.Options) {
      if (O.Name != "-arch" && O.Name != "-gencode")
        continue;
      std::size_t At = O.Value.find("compute_");
      std::size_t Skip = 8;
      if (At == O.Value.npos) {
        At = O.Value.find("sm_");
        Skip = 3;
      }
      unsigned Number = 0;
      for (At = At == O.Value.npos ? At : At + Skip;
           At < O.Value.size() && O.Value[At] >= '0' && O.Value[At] <= '9';
           ++At)
        Number = Number * 10 + static_cast<unsigned>(O.Value[At] - '0');
      if (Number != 0)
        Known.insert(Number * 10);
    }
    std::string List;
    for (unsigned Each : Known)
      List += (List.empty() ? "" : ",") + std::to_string(Each);
    return List;
  }

  const CommandLine &Line;
  const std::string &Directory;
  const std::string &Resources;
  std::vector<Option> Flat;
};

} // namespace

std::string defaultResources() {
  namespace fs = std::filesystem;
  std::error_code Failed;
  fs::path Tool = fs::read_symlink("/proc/self/exe", Failed);
  fs::path Beside =
      Tool.parent_path().parent_path() / LOOPSCOPE_PRIVATE_LIBDIR / "clang";
  return fs::exists(Beside / "include/stddef.h", Failed) ? Beside.string()
                                                         : inBuildTree("clang");
}

Result<std::vector<Invocation>>
translateCommand(const std::vector<std::string> &Command,
                 const std::string &Directory, const std::string &Resources) {
  CommandLine Line = parseCommandLine(Command, Directory);
  if (Line.Compiler.empty())
    return Error{"the compiler command is empty"};
  if (Line.Kind == Family::Unknown)
    Line = parseCommandLine(Command, Directory,
                            askCompiler({Line.Compiler}, Directory));
  if (Line.Kind == Family::Unknown)
    return Error{fmt::format(
        "'{}' is not a compiler, or doesn't behave like gcc, clang or nvcc",
        Line.Compiler)};
  if (Line.Sources.empty())
    return Error{"the compiler command names no C, C++ or CUDA source"};
  Translator Each(Line, Directory, Resources);
  std::vector<Invocation> All;
  for (const Source &S : Line.Sources) {
    Result<Invocation> One = Each.translate(S);
    if (!One)
      return One.error();
    All.push_back(std::move(*One));
  }
  return All;
}

} // namespace loopscope::instrument
