// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass over the characters.

#include "Analysis/Samples/SourceTokens.h"

#include "Support/LoopPragmas.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

using namespace loopscope;

namespace {
bool isWordCharacter(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) != 0 || C == '_';
}

class Lexer {
public:
  explicit Lexer(std::string_view Text) : Text(Text) {}

  std::vector<SourceToken> run() {
    while (At < Text.size())
      step();
    return std::move(Tokens);
  }

private:
  bool startsWith(std::string_view What) const {
    return Text.substr(At, What.size()) == What;
  }
  void skipTo(size_t End) {
    End = std::min(End, Text.size());
    for (; At < End; ++At)
      Line += Text[At] == '\n' ? 1 : 0;
  }
  // Past the end of a line that backslashes may continue.
  void skipDirective() {
    size_t End = At;
    do
      End = Text.find('\n', End + 1);
    while (End != std::string_view::npos && Text[End - 1] == '\\');
    std::vector<std::string_view> Words = wordsIn(Text.substr(At, End - At));
    if (Words.size() > 1 && Words[0] == "pragma")
      HasPragma |= mayBelongToLoop(Words[1], Words.size() > 2 ? Words[2] : "");
    if (!Words.empty() && Words[0].starts_with("if"))
      ++Conditionals;
    else if (!Words.empty() && Words[0] == "endif" && Conditionals > 0)
      --Conditionals;
    skipTo(End);
  }
  static std::vector<std::string_view> wordsIn(std::string_view Directive) {
    std::vector<std::string_view> Words;
    for (size_t I = 0; I < Directive.size();) {
      size_t Begin = I;
      while (I < Directive.size() && isWordCharacter(Directive[I]))
        ++I;
      if (I > Begin)
        Words.push_back(Directive.substr(Begin, I - Begin));
      else
        ++I;
    }
    return Words;
  }
  void take(size_t Length) {
    Tokens.push_back({Text.substr(At, Length), Line, HasPragma, Conditionals});
    HasPragma = false;
  }
  void skipQuoted(char Quote) {
    size_t End = At + 1;
    while (End < Text.size() && Text[End] != Quote && Text[End] != '\n')
      End += Text[End] == '\\' ? 2 : 1;
    skipTo(End + 1);
  }
  void skipRaw() {
    size_t Open = Text.find('(', At);
    if (Open == std::string_view::npos)
      return skipTo(Text.size());
    std::string End = ")";
    End += Text.substr(At + 2, Open - At - 2);
    End += '"';
    size_t Found = Text.find(End, Open);
    skipTo(Found == std::string_view::npos ? Found : Found + End.size());
  }
  void takeWord() {
    size_t End = At;
    while (End < Text.size() &&
           (isWordCharacter(Text[End]) ||
            // A digit separator.
            (Text[End] == '\'' &&
             std::isdigit(static_cast<unsigned char>(Text[At])) != 0)))
      ++End;
    take(End - At);
    At = End;
  }
  void step() {
    char C = Text[At];
    if (startsWith("//"))
      skipTo(Text.find('\n', At));
    else if (startsWith("/*"))
      skipTo(Text.find("*/", At + 2) == std::string_view::npos
                 ? Text.size()
                 : Text.find("*/", At + 2) + 2);
    else if (C == '#' && IsLineStart)
      skipDirective();
    else if (startsWith("R\""))
      skipRaw();
    else if (C == '"' || C == '\'')
      skipQuoted(C);
    else if (isWordCharacter(C))
      takeWord();
    else {
      if (std::isspace(static_cast<unsigned char>(C)) == 0)
        take(1);
      skipTo(At + 1);
    }
    IsLineStart = C == '\n' ||
                  (IsLineStart && std::isspace(static_cast<unsigned char>(C)));
  }

  std::string_view Text;
  std::vector<SourceToken> Tokens;
  size_t At = 0;
  uint32_t Line = 1;
  bool IsLineStart = true;
  bool HasPragma = false; // since the last token
  uint32_t Conditionals = 0;
};
} // namespace

bool loopscope::isWord(const SourceToken &Token) {
  return isWordCharacter(Token.Text.front());
}

std::vector<SourceToken> loopscope::sourceTokens(std::string_view Text) {
  return Lexer(Text).run();
}
