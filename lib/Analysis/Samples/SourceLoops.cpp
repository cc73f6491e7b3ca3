// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements by recursive descent. Anything that isn't a loop, a branch or a
// block is an expression up to its semicolon, in which blocks (lambdas,
// functions, classes) are looked through.

#include "Analysis/Samples/SourceLoops.h"

#include "Analysis/Samples/SourceTokens.h"
#include "Support/TrainingNames.h"

#include <utility>

using namespace loopscope;

namespace {
class Parser {
public:
  explicit Parser(std::vector<SourceToken> Tokens)
      : Tokens(std::move(Tokens)) {}

  SourceBlocks run() {
    while (At < Tokens.size()) {
      statement(0);
      if (is("}")) // one too many
        ++At;
    }
    std::map<uint32_t, uint32_t> Conditionals;
    uint32_t Last = 0;
    for (const SourceToken &Each : Tokens)
      if (Each.Conditionals != Last)
        Conditionals[Each.Line] = Last = Each.Conditionals;
    return {std::move(Loops), std::move(Macros), std::move(Conditionals)};
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
    if (is("{")) {
      ++Branches; // it may be a function's
      block(Depth);
      --Branches;
    } else if (is("(")) {
      parenthesised(Depth + 1);
    } else {
      if (Branches == 0 && Innermost != nullptr && isCounted())
        *Innermost = Tokens[At].Text;
      ++At;
    }
  }
  // Whether the token is a variable that counts iterations and gets 1 more.
  bool isCounted() const {
    auto Has = [&](size_t I, std::string_view Text) {
      return I < Tokens.size() && Tokens[I].Text == Text;
    };
    auto Adds = [&](size_t I) { return Has(I, "+") && Has(I + 1, "+"); };
    bool IsOne = Has(At + 1, "+") && Has(At + 2, "=") && Has(At + 3, "1");
    return isWord(Tokens[At]) && isIterations(Tokens[At].Text) &&
           (Adds(At + 1) || IsOne || (At >= 2 && Adds(At - 2)));
  }
  void expression(int Depth) {
    while (At < Tokens.size() && !is("}")) {
      // A macro may stand before a loop, without a semicolon.
      if (take(";") || is("for") || is("while") || is("do"))
        return;
      bool IsBlock = is("{");
      inExpression(Depth);
      // A function's body, a namespace or a class ends the statement.
      if (IsBlock && !is(";") && !is(",") && !is(")") && !is(".") && !is("("))
        return;
    }
  }
  // From A in A.b->c to c; from any other token to itself.
  size_t lastMember(size_t I) const {
    while (true) {
      size_t Next = I + 1;
      if (Next < At && Tokens[Next].Text == ".")
        ++Next;
      else if (Next + 1 < At && Tokens[Next].Text == "-" &&
               Tokens[Next + 1].Text == ">")
        Next += 2;
      else
        return I;
      if (Next >= At || !isWord(Tokens[Next]))
        return I;
      I = Next;
    }
  }
  void head(size_t Loop, int Depth) {
    size_t Begin = At;
    parenthesised(Depth + 1);
    for (size_t I = Begin; I < At; ++I) {
      size_t Last = lastMember(I);
      // Settings of data that count iterations are no data.
      bool IsObject = Last != I && isIterations(Tokens[Last].Text);
      if (isWord(Tokens[I]) && !IsObject)
        Loops[Loop].Names.emplace_back(Tokens[I].Text);
      bool Sets = Tokens[I].Text == "=" ||
                  (Tokens[I].Text == ":" && Tokens[I - 1].Text != ":" &&
                   I + 1 < At && Tokens[I + 1].Text != ":");
      if (Sets && Loops[Loop].Variable.empty() && isWord(Tokens[I - 1])) {
        Loops[Loop].Variable = Tokens[I - 1].Text;
        Loops[Loop].Names = {Loops[Loop].Variable};
      }
    }
  }
  // Whether a head that begins at I calls something.
  bool callsIn(size_t I) const {
    int Open = 0;
    for (; I < Tokens.size(); ++I) {
      Open += Tokens[I].Text == "(" ? 1 : Tokens[I].Text == ")" ? -1 : 0;
      if (Open == 0)
        return false;
      if (Open > 1 && Tokens[I].Text == "(" && isWord(Tokens[I - 1]))
        return true;
    }
    return false;
  }
  void loop(int Depth) {
    size_t Own = Loops.size();
    bool IsDo = Tokens[At].Text == "do";
    bool IsFor = Tokens[At].Text == "for";
    Loops.push_back({Tokens[At].Line, 0, {}, {}});
    Loops[Own].HasPragma = Tokens[At].HasPragma;
    size_t Head = ++At;
    if (!IsDo)
      head(Own, Depth);
    if (!IsFor)
      Loops[Own].Variable.clear();
    std::string Counter;
    std::string *Outer = std::exchange(Innermost, &Counter);
    int OuterBranches = std::exchange(Branches, 0);
    statement(Depth + 1);
    Innermost = Outer;
    Branches = OuterBranches;
    if (IsDo && take("while")) {
      Head = At;
      head(Own, Depth);
      take(";");
    }
    if (Loops[Own].Variable.empty() && !callsIn(Head))
      Loops[Own].Counter = std::move(Counter);
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
      ++Branches;
      statement(Depth + 1);
      if (take("else"))
        statement(Depth + 1);
      --Branches;
      return;
    }
    if (isMacroBlock())
      Macros.push_back(Tokens[At].Line);
    expression(Depth);
  }
  // Whether the statement begins with `NAME(...)` and another one follows.
  bool isMacroBlock() const {
    if (At + 1 >= Tokens.size() || !isWord(Tokens[At]) ||
        Tokens[At].Text == "catch" || Tokens[At + 1].Text != "(")
      return false;
    int Open = 0;
    for (size_t I = At + 1; I < Tokens.size(); ++I) {
      Open += Tokens[I].Text == "(" ? 1 : Tokens[I].Text == ")" ? -1 : 0;
      if (Open != 0)
        continue;
      if (I + 1 == Tokens.size())
        return false;
      std::string_view Next = Tokens[I + 1].Text;
      return Next == "{" ||
             (isWord(Tokens[I + 1]) && Next != "for" && Next != "while" &&
              Next != "do" && Next != "const" && Next != "noexcept");
    }
    return false;
  }

  std::vector<SourceToken> Tokens;
  std::vector<SourceLoop> Loops;
  std::vector<uint32_t> Macros;
  size_t At = 0;
  std::string *Innermost = nullptr; // Counter of the innermost loop
  int Branches = 0;                 // in that loop, around the statement
};
} // namespace

SourceBlocks loopscope::sourceBlocks(std::string_view Text) {
  return Parser(sourceTokens(Text)).run();
}

std::vector<SourceLoop> loopscope::sourceLoops(std::string_view Text) {
  return sourceBlocks(Text).Loops;
}
