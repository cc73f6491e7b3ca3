// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a source file may contain annotations.

#include "Launch/Scan.h"

#include "Launch/Precompiled.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>

namespace loopscope::launch {
namespace {

/// The text of the regular file at PATH.
std::optional<std::string> readText(const std::string &Path) {
  int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return std::nullopt;
  struct stat Info{};
  std::optional<std::string> Text;
  if (fstat(File, &Info) == 0 && S_ISREG(Info.st_mode)) {
    Text.emplace(static_cast<std::size_t>(Info.st_size), '\0');
    std::size_t Done = 0;
    while (Done < Text->size()) {
      ssize_t Length = read(File, Text->data() + Done, Text->size() - Done);
      if (Length <= 0)
        break;
      Done += static_cast<std::size_t>(Length);
    }
    Text->resize(Done);
  }
  close(File);
  return Text;
}

bool isBlank(char C) { return C == ' ' || C == '\t'; }

/// The operand of an #include.
struct Operand {
  std::string_view Name; ///< "" if a macro has it
  bool Angled = false;
};

/// Whether C can begin a macro's name.
bool beginsName(char C) {
  return C == '_' || std::isalpha(static_cast<unsigned char>(C)) != 0;
}

/// Calls VISIT for each `#include "x"`, `#include <x>` and `#include X` in
/// TEXT, including those in skipped branches and comments.
template <typename Callable>
void forEachInclude(std::string_view Text, Callable Visit) {
  for (std::size_t I = Text.find('#'); I != Text.npos;
       I = Text.find('#', I + 1)) {
    std::size_t P = I + 1;
    while (P < Text.size() && isBlank(Text[P]))
      ++P;
    std::string_view Rest = Text.substr(P);
    bool Import = Rest.starts_with("import");
    if (!Import && !Rest.starts_with("include"))
      continue;
    Rest.remove_prefix(Import ? 6 : 7);
    if (Rest.starts_with("_next"))
      Rest.remove_prefix(5);
    bool IsWord = !Rest.empty() && isBlank(Rest.front());
    while (!Rest.empty() && isBlank(Rest.front()))
      Rest.remove_prefix(1);
    if (IsWord && !Rest.empty() && beginsName(Rest.front())) {
      Visit(Operand{});
      continue;
    }
    if (Rest.empty() || (Rest.front() != '"' && Rest.front() != '<'))
      continue;
    bool Angled = Rest.front() == '<';
    Rest.remove_prefix(1);
    std::size_t End = Rest.find(Angled ? '>' : '"');
    if (End != Rest.npos && Rest.find('\n') > End)
      Visit(Operand{Rest.substr(0, End), Angled});
  }
}

class Scanner {
public:
  Scanner(const CommandLine &Line, const std::string &Directory) {
    for (const Option &O : Line.Options)
      if (O.Name == "-I")
        Angled.push_back(absoluteIn(O.Value, Directory));
      else if (O.Name == "-iquote")
        Quoted.push_back(absoluteIn(O.Value, Directory));
  }

  ScanResult Result;

  /// Scans PATH and what it includes. False if it can't be read.
  bool scan(const std::string &Path) {
    if (auto Known = Seen.find(Path); Known != Seen.end())
      return Known->second;
    std::optional<std::string> Text = readText(Path);
    Seen.emplace(Path, Text.has_value());
    if (!Text)
      return false;
    if (mayHoldAnnotations(*Text)) {
      Result.Annotations = true;
      return true;
    }
    std::string Own = Path.substr(0, Path.find_last_of('/'));
    forEachInclude(*Text, [&](const Operand &O) { include(O, Own); });
    return true;
  }

  /// Scans the file that `#include "NAME"` in directory OWN leads to.
  void include(const Operand &O, const std::string &Own) {
    if (O.Name.empty())
      Result.Annotations = true; // perhaps
    if (O.Name.starts_with("loopscope/")) {
      Result.OurHeaders = true;
      return;
    }
    if (Result.Annotations)
      return;
    forEachPlace(O, Own, [&](const std::string &Path) { return scan(Path); });
  }

  /// Whether `#include "NAME"` in directory OWN leads only to NAME.gch.
  bool isOnlyPrecompiled(const Operand &O, const std::string &Own) const {
    return !forEachPlace(O, Own, exists) &&
           forEachPlace(O, Own, [](const std::string &Path) {
             return exists(Path + ".gch");
           });
  }

private:
  static bool exists(const std::string &Path) {
    return access(Path.c_str(), R_OK) == 0;
  }

  /// Calls TAKE for each path that O, in directory OWN, may lead to, until it
  /// returns true.
  template <typename Callable>
  bool forEachPlace(const Operand &O, const std::string &Own,
                    Callable Take) const {
    if (O.Name.starts_with("/"))
      return Take(std::string(O.Name));
    auto In = [&](const std::string &Directory) {
      return Take(Directory + '/' + std::string(O.Name));
    };
    return (!O.Angled && (In(Own) || std::ranges::any_of(Quoted, In))) ||
           std::ranges::any_of(Angled, In);
  }

  std::vector<std::string> Quoted;
  std::vector<std::string> Angled;
  std::unordered_map<std::string, bool> Seen; ///< Path: could be read.
};

} // namespace

bool mayHoldAnnotations(std::string_view Text) {
  constexpr std::string_view Macro = "LOOPSCOPE_";
  constexpr std::string_view Name = "loopscope";
  if (memmem(Text.data(), Text.size(), Macro.data(), Macro.size()) != nullptr)
    return true;
  while (true) {
    const void *Found =
        memmem(Text.data(), Text.size(), Name.data(), Name.size());
    if (!Found)
      return false;
    Text.remove_prefix(static_cast<std::size_t>(
                           static_cast<const char *>(Found) - Text.data()) +
                       Name.size());
    std::string_view Rest = Text;
    if (Rest.starts_with("__"))
      Rest.remove_prefix(2);
    while (!Rest.empty() &&
           std::isspace(static_cast<unsigned char>(Rest.front())) != 0)
      Rest.remove_prefix(1);
    if (Rest.starts_with(":"))
      return true;
  }
}

namespace {

/// The files that -include and -imacros of LINE name.
std::vector<Operand> forcedIncludes(const CommandLine &Line) {
  std::vector<Operand> Forced;
  for (const Option &O : Line.Options)
    if (O.Name == "-include" || O.Name == "-imacros")
      Forced.push_back({O.Value, false});
  // CMake's precompiled headers with clang: -Xclang -include -Xclang FILE.
  for (std::size_t I = 0; I + 1 < Line.Options.size(); ++I)
    if (Line.Options[I].Name == "-Xclang" &&
        Line.Options[I].Value == "-include" &&
        Line.Options[I + 1].Name == "-Xclang")
      Forced.push_back({Line.Options[I + 1].Value, false});
  return Forced;
}

} // namespace

ScanResult scanSource(const CommandLine &Line, const Source &S,
                      const std::string &Directory) {
  Scanner Each(Line, Directory);
  Each.scan(absoluteIn(S.Path, Directory));
  for (const Operand &O : forcedIncludes(Line))
    Each.include(O, Directory);
  for (const NotedHeader &Noted : notedHeaders(Line, Directory))
    Each.scan(absoluteIn(Noted.Header, Directory));
  return Each.Result;
}

std::string onlyPrecompiledHeader(const CommandLine &Line, const Source &S,
                                  const std::string &Directory) {
  Scanner Each(Line, Directory);
  std::vector<Operand> Forced = forcedIncludes(Line);
  std::vector<NotedHeader> Noted = notedHeaders(Line, Directory);
  auto IsNoted = [&](const Option &O) {
    return std::ranges::any_of(
        Noted, [&](const NotedHeader &N) { return N.Index == O.Index; });
  };
  for (const Operand &O : Forced)
    if (Each.isOnlyPrecompiled(O, Directory) &&
        std::ranges::none_of(Line.Options, [&](const Option &Of) {
          return Of.Value == O.Name && IsNoted(Of);
        }))
      return std::string(O.Name);
  std::optional<std::string> Header = Line.lastValue("-include-pch");
  if (Header && Forced.empty() && Noted.empty())
    return *Header;
  std::string Path = absoluteIn(S.Path, Directory);
  std::string Own = Path.substr(0, Path.find_last_of('/'));
  std::string Found;
  std::string Text = readText(Path).value_or("");
  forEachInclude(Text, [&](const Operand &O) {
    if (!O.Angled && !O.Name.empty() && Found.empty() &&
        Each.isOnlyPrecompiled(O, Own))
      Found = O.Name;
  });
  return Found;
}

} // namespace loopscope::launch
