// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a real compiler's command line.

#include "Launch/CommandLine.h"

#include "Launch/OptionTable.h"
#include "Support/Paths.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iterator>

namespace loopscope::launch {
namespace {

constexpr std::string_view Module = "a module"; ///< See OpaqueInput.

constexpr unsigned MaxResponseDepth = 16; ///< A file may name itself.

std::vector<std::string> splitCommas(std::string_view List) {
  std::vector<std::string> Parts;
  for (std::size_t Begin = 0; Begin <= List.size();) {
    std::size_t End = std::min(List.find(',', Begin), List.size());
    Parts.emplace_back(List.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  return Parts;
}

/// Appends WORDS to ARGS, with response files replaced by their words: gcc's
/// and clang's @FILE, nvcc's --options-file FILE,FILE.
void expand(const std::vector<std::string> &Words, const std::string &Directory,
            Family Kind, unsigned Depth, std::vector<std::string> &Args) {
  bool Nvcc = Kind == Family::Nvcc;
  auto ExpandFile = [&](const std::string &File) {
    if (Depth == MaxResponseDepth)
      return false;
    std::optional<std::string> Text =
        readWholeFile(absoluteIn(File, Directory));
    if (!Text)
      return false;
    expand(Nvcc ? splitResponseText(*Text, "\"") : splitResponseText(*Text),
           Directory, Kind, Depth + 1, Args);
    return true;
  };
  for (std::size_t I = 0; I < Words.size(); ++I) {
    const std::string &Word = Words[I];
    if (!Nvcc && Word.starts_with("@") && ExpandFile(Word.substr(1)))
      continue;
    if (Nvcc && Word.starts_with("-")) {
      Option O = readOption(Words, I, Kind);
      if (O.Name == "-optf") {
        bool All = true;
        for (const std::string &File : splitCommas(O.Value))
          All &= ExpandFile(File);
        if (All) {
          I += O.Length - 1;
          continue;
        }
      }
    }
    Args.push_back(Word);
  }
}

/// The words of NVCC_PREPEND_FLAGS or NVCC_APPEND_FLAGS. A double quote keeps
/// blanks together; it is part of the value only in a macro definition.
std::vector<std::string> flagsOfVariable(const char *Variable) {
  const char *Text = std::getenv(Variable);
  std::vector<std::string> Words;
  std::string Word;
  bool Quoted = false;
  auto End = [&] {
    if (!Word.starts_with("-D") && !Word.starts_with("--define-macro"))
      std::erase(Word, '"');
    if (!Word.empty())
      Words.push_back(std::move(Word));
    Word.clear();
  };
  for (std::string_view Rest = Text ? Text : ""; !Rest.empty();
       Rest.remove_prefix(1)) {
    char C = Rest.front();
    Quoted ^= C == '"';
    if (!Quoted && std::isspace(static_cast<unsigned char>(C)) != 0)
      End();
    else
      Word += C;
  }
  End();
  return Words;
}

/// The language of a file with this name; "" if it isn't a C, C++ or CUDA
/// source.
std::string languageOf(std::string_view Path, const CommandLine &Line) {
  std::string_view Name = fileName(Path);
  std::size_t Dot = Name.find_last_of('.');
  std::string_view Suffix = Dot == Name.npos ? "" : Name.substr(Dot + 1);
  auto Is = [&](std::initializer_list<std::string_view> List) {
    return std::ranges::find(List, Suffix) != List.end();
  };
  if (Suffix == "c")
    return Line.CPlusPlusDriver ? "c++" : "c";
  if (Suffix == "h")
    return Line.CPlusPlusDriver ? "c++-header" : "c-header";
  if (Is({"cc", "cp", "cxx", "cpp", "CPP", "c++", "C"}))
    return "c++";
  if (Is({"hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc"}))
    return "c++-header";
  if (Suffix == "cu" && Line.Kind != Family::Gcc)
    return "cuda";
  return "";
}

/// Describes a file whose name or language says that it contains source text
/// which can't be rewritten; "" for any other.
std::string_view opaqueKind(std::string_view Suffix) {
  auto Is = [&](std::initializer_list<std::string_view> List) {
    return std::ranges::find(List, Suffix) != List.end();
  };
  if (Is({"i", "ii", "mi", "mii", "cpp-output", "c++-cpp-output"}))
    return "a preprocessed file";
  if (Is({"m", "mm", "M", "objective-c", "objective-c++"}))
    return "Objective-C";
  if (Is({"cppm", "ixx", "ccm", "cxxm", "c++m", "c++-module"}))
    return Module;
  if (Is({"hip"}))
    return "HIP";
  return "";
}

void addOpaque(const std::string &Path, std::string_view What,
               CommandLine &Line) {
  Line.Opaque.push_back(
      {Path, std::string(What),
       What == Module ? "annotate code that isn't in one"
                      : "give the compiler the source as a C or C++ file"});
}

/// The language that -x NAME forces; "" if we don't instrument it.
std::string forcedLanguage(const std::string &Name) {
  if (Name == "cu" || Name == "cuda")
    return "cuda";
  constexpr std::array Known = {"c", "c++", "c-header", "c++-header"};
  return std::ranges::find(Known, Name) != Known.end() ? Name : "";
}

void addWp(std::string_view List, CommandLine &Line) {
  std::vector<std::string> Parts = splitCommas(List);
  for (std::size_t I = 0; I < Parts.size(); ++I)
    if (Parts[I] == "-MD" || Parts[I] == "-MMD") {
      Line.WritesDepfile = true;
      if (I + 1 < Parts.size())
        Line.Depfile = Parts[I + 1];
    }
}

/// Whether this option means that nothing is compiled or linked as usual.
bool isOther(const Option &O, Family Kind) {
  constexpr std::array Host = {
      "-E",         "-M",        "-MM",          "-fsyntax-only", "--version",
      "--help",     "-###",      "-dumpversion", "-dumpmachine",  "-dumpspecs",
      "-emit-llvm", "-emit-ast", "--analyze",    "--precompile"};
  constexpr std::array Nvcc = {
      "-E",        "-M",        "-MM",    "-cuda",  "-cubin",       "-fatbin",
      "-ptx",      "-optix-ir", "-ltoir", "-dlink", "-dryrun",      "-run",
      "--version", "-V",        "--help", "-h",     "-fsyntax-only"};
  auto In = [&](const auto &Names) {
    return std::ranges::find(Names, O.Name) != Names.end();
  };
  return Kind == Family::Nvcc ? In(Nvcc)
                              : In(Host) || O.Name.starts_with("-print-") ||
                                    O.Name.starts_with("--print-");
}

/// Removes the `--` from ARGS: even after it, clang compiles no file named like
/// an option. Returns where the inputs begin.
std::size_t dropSeparator(CommandLine &Line) {
  auto Found = std::ranges::find(Line.Args, "--");
  if (Line.Kind == Family::Nvcc || Found == Line.Args.end())
    return Line.Args.size();
  Line.Separated = true;
  return static_cast<std::size_t>(Line.Args.erase(Found) - Line.Args.begin());
}

/// Fills in everything that follows from ARGS.
void interpret(CommandLine &Line) {
  std::string Language; // Of the last -x.
  bool Forced = false, NoLink = false, Stdin = false;
  bool Relocatable = false;
  unsigned Inputs = 0;
  std::size_t InputsOnly = dropSeparator(Line);
  auto AddInput = [&](std::size_t I) {
    const std::string &Path = Line.Args[I];
    ++Inputs;
    Line.Options.push_back({"", Path, I, 1, 0});
    // nvcc says that it doesn't know what to do with it.
    Line.Preprocesses |= Line.Kind == Family::Nvcc && Path.starts_with("@");
    std::string_view Name = fileName(Path);
    std::string Kind =
        Forced ? forcedLanguage(Language) : languageOf(Path, Line);
    if (!Kind.empty())
      Line.Sources.push_back({I, Path, Kind});
    else if (std::string_view What =
                 opaqueKind(Forced ? std::string_view(Language)
                                   : Name.substr(Name.find_last_of('.') + 1));
             !What.empty())
      addOpaque(Path, What, Line);
  };
  for (std::size_t I = 0; I < Line.Args.size(); ++I) {
    const std::string &Word = Line.Args[I];
    if (Word == "-") {
      Stdin = true;
      addOpaque("-", "standard input", Line);
      continue;
    }
    if (I >= InputsOnly || !Word.starts_with("-")) {
      AddInput(I);
      continue;
    }
    Option O = readOption(Line.Args, I, Line.Kind);
    I += O.Length - 1;
    Line.Preprocesses |= isOther(O, Line.Kind);
    if (O.Name == "-x") {
      Forced = O.Value != "none";
      Language = O.Value;
    } else if (O.Name == "-o") {
      Line.Output = O.Value;
    } else if (O.Name == "-MF") {
      Line.Depfile = O.Value;
    } else if (O.Name == "-MD" || O.Name == "-MMD") {
      Line.WritesDepfile = true;
    } else if (O.Name.starts_with("-Wp,")) {
      addWp(std::string_view(O.Name).substr(4), Line);
    } else if (O.Name == "-c" || O.Name == "-S" || O.Name == "-dc" ||
               O.Name == "-dw" ||
               (O.Name == "-lib" && Line.Kind == Family::Nvcc)) {
      NoLink = true;
    } else if (O.Name == "-r") {
      Relocatable = true;
    }
    Line.Options.push_back(std::move(O));
  }
  Line.LanguageForced = Forced;
  bool Headers = std::ranges::any_of(Line.Sources, [](const Source &S) {
    return S.Language.ends_with("-header");
  });
  if (Line.Preprocesses || Stdin || Inputs == 0 ||
      (Relocatable && !NoLink && !Headers))
    Line.Action = Mode::Other;
  else if (Headers)
    Line.Action = Mode::Compile;
  else if (NoLink)
    Line.Action = Line.Sources.empty() ? Mode::Other : Mode::Compile;
  else
    Line.Action = Line.Sources.empty() ? Mode::Link : Mode::Build;
}

} // namespace

std::vector<std::string> CommandLine::words() const {
  std::vector<std::string> Words = Launchers;
  Words.push_back(Compiler);
  auto [First, Last] = FromEnvironment;
  Words.insert(Words.end(), Args.begin() + static_cast<std::ptrdiff_t>(First),
               Args.end() - static_cast<std::ptrdiff_t>(Last));
  return Words;
}

std::optional<std::string> CommandLine::lastValue(std::string_view Name) const {
  for (auto O = Options.rbegin(); O != Options.rend(); ++O)
    if (O->Name == Name)
      return O->Value;
  return std::nullopt;
}

bool CommandLine::has(std::string_view Name) const {
  return std::ranges::any_of(Options,
                             [&](const Option &O) { return O.Name == Name; });
}

CommandLine parseCommandLine(const std::vector<std::string> &Command,
                             const std::string &Directory, Compiler Who) {
  CommandLine Line;
  auto [Launcher, Compiler, Strange] = partsOf(Command);
  auto At = [&](std::size_t I) {
    return Command.begin() + static_cast<std::ptrdiff_t>(I);
  };
  Line.Launchers.assign(Command.begin(), At(Compiler));
  Line.Runners = Launcher;
  if (Compiler == Command.size())
    return Line;
  Line.Compiler = Command[Compiler];
  if (auto Named = compilerByName(Line.Compiler);
      Named.Kind != Family::Unknown && !Strange)
    Who = Named;
  Line.Kind = Who.Kind;
  Line.CPlusPlusDriver = Who.CPlusPlus;
  std::vector<std::string> Rest(At(Compiler + 1), Command.end());
  if (Line.Kind != Family::Nvcc) {
    expand(Rest, Directory, Line.Kind, 0, Line.Args);
  } else {
    expand(flagsOfVariable("NVCC_PREPEND_FLAGS"), Directory, Line.Kind, 0,
           Line.Args);
    Line.FromEnvironment.first = Line.Args.size();
    expand(Rest, Directory, Line.Kind, 0, Line.Args);
    std::size_t Own = Line.Args.size();
    expand(flagsOfVariable("NVCC_APPEND_FLAGS"), Directory, Line.Kind, 0,
           Line.Args);
    Line.FromEnvironment.second = Line.Args.size() - Own;
  }
  interpret(Line);
  return Line;
}

std::vector<std::string> splitResponseText(std::string_view Text,
                                           std::string_view Quotes) {
  std::vector<std::string> Words;
  std::string Word;
  bool Open = false;
  char Quote = 0;
  for (std::size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (C == '\\' && I + 1 < Text.size()) {
      Word += Text[++I];
      Open = true;
    } else if (Quote != 0) {
      if (C == Quote)
        Quote = 0;
      else
        Word += C;
    } else if (Quotes.find(C) != Quotes.npos) {
      Quote = C;
      Open = true;
    } else if (std::isspace(static_cast<unsigned char>(C)) != 0) {
      if (Open)
        Words.push_back(std::move(Word));
      Word.clear();
      Open = false;
    } else {
      Word += C;
      Open = true;
    }
  }
  if (Open)
    Words.push_back(std::move(Word));
  return Words;
}

std::string absoluteIn(const std::string &Path, const std::string &Directory) {
  return (std::filesystem::path(Directory) / Path).lexically_normal().string();
}

} // namespace loopscope::launch
