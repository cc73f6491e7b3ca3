// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Make rules that name the original files.
//
// In a rule a blank in a path is written `\ `, a hash `\#` and a dollar `$$`; a
// backslash before a line break continues the rule.

#include "Launch/Depfile.h"

namespace loopscope::launch {
namespace {

bool isBreak(char C) { return C == ' ' || C == '\t' || C == '\n' || C == '\r'; }

/// The end of the path that starts at BEGIN.
std::size_t pathEnd(std::string_view Text, std::size_t Begin) {
  std::size_t I = Begin;
  while (I < Text.size() && !isBreak(Text[I])) {
    if (Text[I] == '\\' && I + 1 < Text.size()) {
      if (Text[I + 1] == '\n' || Text[I + 1] == '\r')
        break;
      ++I;
    }
    ++I;
  }
  return I;
}

std::string unescape(std::string_view Path) {
  std::string Result;
  for (std::size_t I = 0; I < Path.size(); ++I) {
    bool Escaped =
        I + 1 < Path.size() &&
        ((Path[I] == '$' && Path[I + 1] == '$') ||
         (Path[I] == '\\' && (isBreak(Path[I + 1]) || Path[I + 1] == '#')));
    Result += Path[Escaped ? ++I : I];
  }
  return Result;
}

std::string escape(std::string_view Path) {
  std::string Result;
  for (char C : Path) {
    if (C == '$')
      Result += '$';
    else if (isBreak(C) || C == '#')
      Result += '\\';
    Result += C;
  }
  return Result;
}

} // namespace

std::string renameDependencies(
    std::string_view Text,
    const std::function<std::string(const std::string &)> &Rename,
    const std::vector<std::string> &More) {
  std::string Result;
  bool InTargets = true, Added = false;
  auto EndRule = [&] {
    if (!InTargets && !Added) {
      for (const std::string &Path : More)
        Result.append(" ").append(escape(Path));
      Added = true;
    }
    InTargets = true;
  };
  for (std::size_t I = 0; I < Text.size();) {
    char C = Text[I];
    if (C == '\n' || isBreak(C)) {
      if (C == '\n')
        EndRule();
      Result += C;
      ++I;
      continue;
    }
    if (C == '\\' && I + 1 < Text.size() &&
        (Text[I + 1] == '\n' || Text[I + 1] == '\r')) {
      std::size_t End = Text.find('\n', I) + 1;
      Result += Text.substr(I, End - I);
      I = End;
      continue;
    }
    std::size_t End = pathEnd(Text, I);
    std::string_view Word = Text.substr(I, End - I);
    I = End;
    // A rule's colon ends its last target; a phony target (-MP) is a path.
    bool Colon = InTargets && Word.ends_with(":");
    if (Colon)
      Word.remove_suffix(1);
    std::string Path = unescape(Word);
    std::string Renamed = Rename(Path);
    Result += Renamed == Path ? std::string(Word) : escape(Renamed);
    if (Colon) {
      Result += ':';
      InTargets = false;
    }
  }
  EndRule();
  return Result;
}

} // namespace loopscope::launch
