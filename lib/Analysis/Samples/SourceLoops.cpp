// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words and punctuation, then statements by recursive descent. Anything that
// isn't a loop, a branch or a block is an expression up to its semicolon, in
// which blocks (lambdas, functions, classes) are looked through.

#include "Analysis/Samples/SourceLoops.h"

#include <cctype>
#include <string>

using namespace loopscope;

namespace {
struct Token {
  std::string_view Text; // one character if it is punctuation
  uint32_t Line;
};

bool isWordCharacter(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) != 0 || C == '_';
}

class Lexer {
public:
  explicit Lexer(std::string_view Text) : Text(Text) {}

  std::vector<Token> run() {
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
    skipTo(End);
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
    Tokens.push_back({Text.substr(At, End - At), Line});
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
        Tokens.push_back({Text.substr(At, 1), Line});
      skipTo(At + 1);
    }
    IsLineStart = C == '\n' ||
                  (IsLineStart && std::isspace(static_cast<unsigned char>(C)));
  }

  std::string_view Text;
  std::vector<Token> Tokens;
  size_t At = 0;
  uint32_t Line = 1;
  bool IsLineStart = true;
};

class Parser {
public:
  explicit Parser(std::vector<Token> Tokens) : Tokens(std::move(Tokens)) {}

  std::vector<SourceLoop> run() {
    while (At < Tokens.size()) {
      statement(0);
      if (is("}")) // one too many
        ++At;
    }
    return std::move(Loops);
  }

private:
  // Nobody nests deeper; a damaged file must not exhaust the stack.
  static constexpr int Deepest = 200;

  bool is(std::string_view Text) const {
    return At < Tokens.size() && Tokens[At].Text == Text;
  }
  bool take(std::string_view Text) {
    bool Found = is(Text);
    At += Found ? 1 : 0;
    return Found;
  }
  uint32_t lastLine() const { return At == 0 ? 1 : Tokens[At - 1].Line; }

  // Whether it is; then the rest is left unread.
  bool isTooDeep(int Depth) {
    if (Depth > Deepest)
      At = Tokens.size();
    return Depth > Deepest;
  }
  void block(int Depth) {
    ++At; // {
    while (At < Tokens.size() && !is("}"))
      statement(Depth + 1);
    take("}");
  }
  void parenthesised(int Depth) {
    if (isTooDeep(Depth) || !take("("))
      return;
    while (At < Tokens.size() && !is(")") && !is("}"))
      inExpression(Depth);
    take(")");
  }
  void inExpression(int Depth) {
    if (is("{"))
      block(Depth);
    else if (is("("))
      parenthesised(Depth + 1);
    else
      ++At;
  }
  void expression(int Depth) {
    while (At < Tokens.size() && !is("}")) {
      if (take(";"))
        return;
      bool IsBlock = is("{");
      inExpression(Depth);
      // A function's body, a namespace or a class ends the statement.
      if (IsBlock && !is(";") && !is(",") && !is(")") && !is(".") && !is("("))
        return;
    }
  }
  void loop(int Depth) {
    size_t Own = Loops.size();
    bool IsDo = Tokens[At].Text == "do";
    Loops.push_back({Tokens[At].Line, 0});
    ++At;
    if (!IsDo)
      parenthesised(Depth + 1);
    statement(Depth + 1);
    if (IsDo && take("while")) {
      parenthesised(Depth + 1);
      take(";");
    }
    Loops[Own].Last = lastLine();
  }
  void statement(int Depth) {
    if (isTooDeep(Depth))
      return;
    if (is("{"))
      return block(Depth);
    if (is("for") || is("while") || is("do"))
      return loop(Depth);
    if (is("if") || is("switch")) {
      ++At;
      take("constexpr");
      parenthesised(Depth + 1);
      statement(Depth + 1);
      if (take("else"))
        statement(Depth + 1);
      return;
    }
    expression(Depth);
  }

  std::vector<Token> Tokens;
  std::vector<SourceLoop> Loops;
  size_t At = 0;
};
} // namespace

std::vector<SourceLoop> loopscope::sourceLoops(std::string_view Text) {
  return Parser(Lexer(Text).run()).run();
}
