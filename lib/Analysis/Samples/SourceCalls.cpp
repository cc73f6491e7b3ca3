// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass over the tokens, with the brackets that are open.

#include "Analysis/Samples/SourceCalls.h"

#include "Analysis/Samples/SourceTokens.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

using namespace loopscope;

namespace {
bool isOneOf(std::string_view Text,
             std::initializer_list<std::string_view> Words) {
  return std::find(Words.begin(), Words.end(), Text) != Words.end();
}

bool hasHead(std::string_view Word) {
  return isOneOf(Word, {"if", "while", "for", "switch"});
}

bool isName(const SourceToken &Token) {
  return isWord(Token) &&
         std::isdigit(static_cast<unsigned char>(Token.Text.front())) == 0 &&
         !hasHead(Token.Text) &&
         !isOneOf(Token.Text, {"return", "sizeof", "alignof", "decltype",
                               "catch", "constexpr", "else", "do", "throw",
                               "case", "new", "delete", "noexcept"});
}

class Reader {
public:
  explicit Reader(const std::vector<SourceToken> &Tokens) : Tokens(Tokens) {}

  std::vector<SourceCall> run() {
    for (; At < Tokens.size(); ++At)
      step();
    return std::move(Calls);
  }

private:
  std::string_view textAt(size_t Index) const {
    return Index < Tokens.size() ? Tokens[Index].Text : std::string_view();
  }

  // Behind the template arguments that begin at INDEX; INDEX if none do.
  size_t behindArguments(size_t Index) const {
    if (textAt(Index) != "<")
      return Index;
    int Depth = 0;
    for (size_t I = Index; I < Tokens.size(); ++I) {
      std::string_view Text = textAt(I);
      if (isOneOf(Text, {";", "{", "}", ")"}))
        break;
      Depth += Text == "<" ? 1 : Text == ">" ? -1 : 0;
      if (Depth == 0)
        return I + 1;
    }
    return Index;
  }

  // Whether the parenthesis at the current place opens a head.
  bool opensHead() const {
    size_t Before = At;
    if (Before > 0 && textAt(Before - 1) == "constexpr")
      --Before;
    return Before > 0 && hasHead(textAt(Before - 1));
  }

  // Whether a function's body, or what may precede it, follows the arguments
  // that begin at INDEX.
  bool hasBody(size_t Index) const {
    int Depth = 0;
    for (size_t I = Index; I < Tokens.size(); ++I) {
      std::string_view Text = textAt(I);
      Depth += Text == "(" ? 1 : Text == ")" ? -1 : 0;
      if (Depth == 0)
        return isOneOf(textAt(I + 1),
                       {"{", ":", "const", "noexcept", "override"});
    }
    return false;
  }

  void step() {
    std::string_view Text = textAt(At);
    if (Text == "(") {
      Heads += opensHead() ? 1 : 0;
      Open.push_back(opensHead());
    } else if (Text == ")" && !Open.empty()) {
      Heads -= Open.back() ? 1 : 0;
      Open.pop_back();
    } else if (Text == "return") {
      IsReturned = true;
    } else if (Text == ";") {
      IsReturned = false;
    } else if (isName(Tokens[At]) && textAt(behindArguments(At + 1)) == "(") {
      Calls.push_back({std::string(Text), Tokens[At].Line,
                       Heads > 0 || IsReturned,
                       Heads == 0 && hasBody(behindArguments(At + 1))});
    }
  }

  const std::vector<SourceToken> &Tokens;
  size_t At = 0;
  std::vector<bool> Open; // parentheses; whether one is a head's
  int Heads = 0;          // of them
  bool IsReturned = false;
  std::vector<SourceCall> Calls;
};
} // namespace

std::vector<SourceCall> loopscope::sourceCalls(std::string_view Text) {
  return Reader(sourceTokens(Text)).run();
}
