//===- CommandLine.cpp - Reading a real compiler's command line -----------===//

#include "Launch/CommandLine.h"

#include "Launch/OptionTable.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace loopscope::launch {
namespace {

constexpr unsigned MaxResponseDepth = 16; ///< A file may name itself.

std::string_view fileName(std::string_view Path) {
  return Path.substr(Path.find_last_of('/') + 1);
}

/// PROGRAM's name without directory, version ("-12", "-12.2") and target
/// ("x86_64-linux-gnu-").
std::string_view bareName(std::string_view Program) {
  std::string_view Name = fileName(Program);
  if (Name.ends_with(".exe"))
    Name.remove_suffix(4);
  std::size_t Dash = Name.find_last_of('-');
  if (Dash != Name.npos && Dash + 1 < Name.size() &&
      Name.find_first_not_of("0123456789.", Dash + 1) == Name.npos)
    Name = Name.substr(0, Dash);
  return Name.substr(Name.find_last_of('-') + 1);
}

bool isLauncher(std::string_view Program) {
  constexpr std::array Names = {"ccache", "sccache", "distcc", "icecc",
                                "buildcache"};
  return std::ranges::find(Names, fileName(Program)) != Names.end();
}

bool isCPlusPlusDriver(std::string_view Program) {
  constexpr std::array Names = {"g++",    "c++",    "clang++",
                                "mpicxx", "mpic++", "mpiCC"};
  return std::ranges::find(Names, bareName(Program)) != Names.end();
}

/// Appends WORDS to ARGS, response files replaced by their words.
void expand(const std::vector<std::string> &Words, const std::string &Directory,
            Family Kind, unsigned Depth, std::vector<std::string> &Args) {
  auto ExpandFile = [&](const std::string &File) {
    std::ifstream Stream(absoluteIn(File, Directory), std::ios::binary);
    if (!Stream || Depth == MaxResponseDepth)
      return false;
    std::string Text{std::istreambuf_iterator<char>(Stream), {}};
    expand(splitResponseText(Text), Directory, Kind, Depth + 1, Args);
    return true;
  };
  for (std::size_t I = 0; I < Words.size(); ++I) {
    const std::string &Word = Words[I];
    if (Word.starts_with("@") && ExpandFile(Word.substr(1)))
      continue;
    if (Kind == Family::Nvcc && Word.starts_with("-")) {
      Option O = readOption(Words, I, Kind);
      if (O.Name == "-optf" && ExpandFile(O.Value)) {
        I += O.Length - 1;
        continue;
      }
    }
    Args.push_back(Word);
  }
}

/// The language of a file with this name; "" for what isn't C, C++ or CUDA
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

/// The language that -x NAME forces; "" for what we don't instrument.
std::string forcedLanguage(const std::string &Name) {
  if (Name == "cu" || Name == "cuda")
    return "cuda";
  constexpr std::array Known = {"c", "c++", "c-header", "c++-header"};
  return std::ranges::find(Known, Name) != Known.end() ? Name : "";
}

void addWp(std::string_view List, CommandLine &Line) {
  std::vector<std::string> Parts;
  for (std::size_t Begin = 0; Begin <= List.size();) {
    std::size_t End = std::min(List.find(',', Begin), List.size());
    Parts.emplace_back(List.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  for (std::size_t I = 0; I < Parts.size(); ++I)
    if (Parts[I] == "-MD" || Parts[I] == "-MMD") {
      Line.WritesDepfile = true;
      if (I + 1 < Parts.size())
        Line.Depfile = Parts[I + 1];
    }
}

/// Names of options after which nothing is compiled or linked as usual.
bool isOther(const Option &O, Family Kind) {
  constexpr std::array Host = {
      "-E",         "-M",        "-MM",          "-fsyntax-only", "--version",
      "--help",     "-###",      "-dumpversion", "-dumpmachine",  "-dumpspecs",
      "-emit-llvm", "-emit-ast", "--analyze",    "--precompile"};
  constexpr std::array Nvcc = {
      "-E",   "-M",        "-MM",    "-cuda",  "-cubin", "-fatbin",
      "-ptx", "-optix-ir", "-ltoir", "-dlink", "-lib",   "-dryrun",
      "-run", "--version", "-V",     "--help", "-h",     "-fsyntax-only"};
  auto In = [&](const auto &Names) {
    return std::ranges::find(Names, O.Name) != Names.end();
  };
  return Kind == Family::Nvcc ? In(Nvcc)
                              : In(Host) || O.Name.starts_with("-print-") ||
                                    O.Name.starts_with("--print-");
}

/// Fills in everything that follows from ARGS.
void interpret(CommandLine &Line) {
  std::string Language; // Of the last -x.
  bool Forced = false, Other = false, NoLink = false, Stdin = false;
  bool Relocatable = false;
  unsigned Inputs = 0;
  auto AddInput = [&](std::size_t I) {
    const std::string &Path = Line.Args[I];
    ++Inputs;
    Line.Options.push_back({"", Path, I, 1});
    std::string Kind = Forced ? Language : languageOf(Path, Line);
    if (!Kind.empty())
      Line.Sources.push_back({I, Path, Kind});
  };
  for (std::size_t I = 0; I < Line.Args.size(); ++I) {
    const std::string &Word = Line.Args[I];
    if (Word == "-") {
      Stdin = true;
      continue;
    }
    if (Word == "--") {
      for (++I; I < Line.Args.size(); ++I)
        AddInput(I);
      break;
    }
    if (!Word.starts_with("-")) {
      AddInput(I);
      continue;
    }
    Option O = readOption(Line.Args, I, Line.Kind);
    I += O.Length - 1;
    Other |= isOther(O, Line.Kind);
    if (O.Name == "-x") {
      Forced = O.Value != "none";
      Language = forcedLanguage(O.Value);
    } else if (O.Name == "-o") {
      Line.Output = O.Value;
    } else if (O.Name == "-MF") {
      Line.Depfile = O.Value;
    } else if (O.Name == "-MD" || O.Name == "-MMD") {
      Line.WritesDepfile = true;
    } else if (O.Name.starts_with("-Wp,")) {
      addWp(std::string_view(O.Name).substr(4), Line);
    } else if (O.Name == "-c" || O.Name == "-S" || O.Name == "-dc" ||
               O.Name == "-dw") {
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
  if (Other || Stdin || Inputs == 0 || (Headers && !NoLink))
    Line.Action = Headers && !Other && !Stdin ? Mode::Compile : Mode::Other;
  else if (NoLink)
    Line.Action = Line.Sources.empty() ? Mode::Other : Mode::Compile;
  else if (Relocatable)
    Line.Action = Mode::Other;
  else
    Line.Action = Line.Sources.empty() ? Mode::Link : Mode::Build;
}

} // namespace

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

Family compilerFamily(std::string_view Program) {
  constexpr std::array Gcc = {"gcc", "g++",   "cc",     "c++",    "c89",
                              "c99", "mpicc", "mpicxx", "mpic++", "mpiCC"};
  std::string_view Name = bareName(Program);
  if (Name == "clang" || Name == "clang++")
    return Family::Clang;
  if (Name == "nvcc")
    return Family::Nvcc;
  return std::ranges::find(Gcc, Name) != Gcc.end() ? Family::Gcc
                                                   : Family::Unknown;
}

CommandLine parseCommandLine(const std::vector<std::string> &Command,
                             const std::string &Directory) {
  CommandLine Line;
  auto Word = Command.begin();
  while (Word != Command.end() && isLauncher(*Word))
    Line.Launchers.push_back(*Word++);
  if (Word == Command.end())
    return Line;
  Line.Compiler = *Word++;
  Line.Kind = compilerFamily(Line.Compiler);
  Line.CPlusPlusDriver = isCPlusPlusDriver(Line.Compiler);
  std::vector<std::string> Rest(Word, Command.end());
  if (Line.Kind == Family::Unknown) {
    Line.Args = std::move(Rest);
    return Line;
  }
  expand(Rest, Directory, Line.Kind, 0, Line.Args);
  interpret(Line);
  return Line;
}

std::vector<std::string> splitResponseText(std::string_view Text) {
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
    } else if (C == '"' || C == '\'') {
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
