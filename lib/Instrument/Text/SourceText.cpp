// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The raw-lexer pass.

#include "Instrument/Text/SourceText.h"

#include "Support/LoopPragmas.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <utility>

using namespace clang;

namespace loopscope::instrument {
namespace {

struct RawToken {
  tok::TokenKind Kind = tok::eof;
  Range Text;
  bool StartsLine = false;
};

std::vector<RawToken> lex(llvm::StringRef Text, const LangOptions &Lang,
                          bool KeepComments = false) {
  std::vector<RawToken> Tokens;
  Lexer L(SourceLocation(), Lang, Text.begin(), Text.begin(), Text.end());
  L.SetCommentRetentionState(KeepComments);
  Token T;
  while (!L.LexFromRawLexer(T) || T.isNot(tok::eof)) {
    unsigned End = L.getCurrentBufferOffset();
    Tokens.push_back(
        {T.getKind(), {End - T.getLength(), End}, T.isAtStartOfLine()});
  }
  return Tokens;
}

class Scanner {
public:
  Scanner(llvm::StringRef Text, const LangOptions &Lang)
      : Text(Text), Tokens(lex(Text, Lang)) {}

  SourceText run() {
    findModule();
    for (size_t I = 0; I < Tokens.size(); ++I) {
      if (is(I, tok::hash) && Tokens[I].StartsLine) {
        DirectiveEnd = endOfLine(I);
        InDefine =
            is(I + 1, tok::raw_identifier) && spelling(I + 1) == "define";
        notePragma(I);
      }
      if (I >= DirectiveEnd)
        InDefine = false;
      if (!InDefine && spelling(I) == "_Pragma")
        notePragma(I);
      if (is(I, tok::l_square) && is(I + 1, tok::l_square))
        noteList(I);
      else if (is(I, tok::raw_identifier))
        noteMacro(I);
      else if (is(I, tok::l_brace) || is(I, tok::r_brace))
        noteBrace(I);
    }
    return std::move(Result);
  }

private:
  bool is(size_t I, tok::TokenKind K) const {
    return I < Tokens.size() && Tokens[I].Kind == K;
  }
  llvm::StringRef spelling(size_t I) const {
    return I < Tokens.size()
               ? Text.slice(Tokens[I].Text.Begin, Tokens[I].Text.End)
               : llvm::StringRef();
  }
  /// The index of the first token after the line of token I.
  size_t endOfLine(size_t I) const {
    for (++I; I < Tokens.size() && !Tokens[I].StartsLine;)
      ++I;
    return I;
  }
  bool pragmaAt(size_t I) const {
    return (is(I, tok::hash) && Tokens[I].StartsLine &&
            spelling(I + 1) == "pragma") ||
           spelling(I) == "_Pragma";
  }

  void findModule() {
    // Without a global fragment, only directives may precede the declaration;
    // clang diagnoses any other place.
    for (size_t First = 0; First < Tokens.size();) {
      if (is(First, tok::hash)) {
        First = endOfLine(First);
        continue;
      }
      size_t I = spelling(First) == "export" ? First + 1 : First;
      if (spelling(I) == "module" &&
          (is(I + 1, tok::semi) || is(I + 1, tok::raw_identifier)))
        Result.Module = Tokens[First].Text.Begin;
      return;
    }
  }

  void notePragma(size_t I) {
    if (!pragmaAt(I))
      return;
    size_t Next = endOfLine(I);
    llvm::StringRef First = spelling(I + 2), Second = spelling(I + 3);
    if (spelling(I) == "_Pragma") {
      if (!is(I + 2, tok::string_literal) || !is(I + 3, tok::r_paren))
        return;
      auto Words = llvm::getToken(First.trim('"'));
      First = Words.first;
      Second = llvm::getToken(Words.second).first;
      Next = I + 4;
    }
    size_t Last = Next - 1;
    while (is(Next, tok::hash) && Tokens[Next].StartsLine)
      Next = endOfLine(Next);
    if (mayBelongToLoop(First, Second) && Next < Tokens.size())
      Result.Pragmas.push_back({{Tokens[I].Text.Begin, Tokens[Last].Text.End},
                                Tokens[Next].Text.Begin,
                                Next != Last + 1});
  }

  void noteBrace(size_t I) {
    if (InDefine)
      return;
    bool Open = is(I, tok::l_brace);
    bool Continues =
        !Open && (is(I + 1, tok::comma) || is(I + 1, tok::l_brace) ||
                  is(I + 1, tok::r_paren));
    Result.Braces.push_back({Tokens[I].Text.Begin, Open, Continues});
  }

  void noteMacro(size_t I) {
    if (!spelling(I).starts_with("LOOPSCOPE_"))
      return;
    size_t Last = I;
    if (is(I + 1, tok::l_paren)) {
      unsigned Depth = 0;
      for (size_t J = I + 1; J < Tokens.size(); ++J) {
        Depth += is(J, tok::l_paren);
        Depth -= is(J, tok::r_paren);
        if (Depth == 0) {
          Last = J;
          break;
        }
      }
    }
    Result.Macros.push_back({{Tokens[I].Text.Begin, Tokens[Last].Text.End},
                             pragmaAt(Last + 1),
                             InDefine || I < DirectiveEnd});
  }

  void noteList(size_t I) {
    AttributeList List;
    List.InMacro = I < DirectiveEnd;
    size_t J = I + 2;
    llvm::StringRef CommonScope;
    if (spelling(J) == "using") {
      List.Using = true;
      CommonScope = spelling(J + 1);
      J += 3;
    }
    size_t Begin = J;
    unsigned Depth = 0;
    for (; J < Tokens.size(); ++J) {
      tok::TokenKind K = Tokens[J].Kind;
      if (Depth == 0 && (K == tok::r_square || K == tok::comma)) {
        noteEntry(List, Begin, J, CommonScope);
        Begin = J + 1;
        if (K == tok::r_square)
          break;
      }
      Depth += K == tok::l_paren || K == tok::l_square || K == tok::l_brace;
      if (K == tok::r_paren || K == tok::r_square || K == tok::r_brace) {
        if (Depth == 0)
          return;
        --Depth;
      }
    }
    if (!is(J, tok::r_square) || !is(J + 1, tok::r_square))
      return;
    List.Text = {Tokens[I].Text.Begin, Tokens[J + 1].Text.End};
    List.BeforePragma = pragmaAt(J + 2);
    Result.Lists.push_back(std::move(List));
  }

  /// Records the entry that tokens [Begin, End) form.
  void noteEntry(AttributeList &List, size_t Begin, size_t End,
                 llvm::StringRef CommonScope) {
    if (Begin >= End)
      return;
    AttributeEntry Entry;
    Entry.Text = {Tokens[Begin].Text.Begin, Tokens[End - 1].Text.End};
    llvm::StringRef Scope = CommonScope;
    size_t Name = Begin;
    if (is(Begin + 1, tok::coloncolon)) {
      Scope = spelling(Begin);
      Name = Begin + 2;
    } else if (is(Begin + 1, tok::colon) && is(Begin + 2, tok::colon)) {
      Scope = spelling(Begin);
      Name = Begin + 3;
    }
    if (Name >= End)
      return;
    Entry.Name = Tokens[Name].Text;
    Entry.Ours = Scope == "loopscope";
    Entry.Known = Entry.Ours && kindNamed(spelling(Name)).has_value();
    List.Entries.push_back(Entry);
  }

  llvm::StringRef Text;
  std::vector<RawToken> Tokens;
  size_t DirectiveEnd = 0;
  bool InDefine = false;
  SourceText Result;
};

} // namespace

bool AttributeList::ours() const {
  return std::any_of(Entries.begin(), Entries.end(),
                     [](const AttributeEntry &E) { return E.Ours; });
}

bool SourceText::hasAnnotations() const {
  return !Macros.empty() ||
         std::any_of(Lists.begin(), Lists.end(),
                     [](const AttributeList &L) { return L.ours(); });
}

bool SourceText::mayAnnotateBody(unsigned Declaration) const {
  auto Brace = std::lower_bound(
      Braces.begin(), Braces.end(), Declaration,
      [](const auto &B, unsigned Offset) { return B.Offset < Offset; });
  unsigned End = ~0U;
  for (int Depth = 0; Brace != Braces.end(); ++Brace) {
    Depth += Brace->Open ? 1 : -1;
    if (Depth <= 0 && !Brace->Continues) {
      End = Brace->Offset;
      break;
    }
  }
  auto Inside = [&](const Range &R) {
    return R.Begin >= Declaration && R.Begin < End;
  };
  return std::any_of(Macros.begin(), Macros.end(),
                     [&](const MacroUse &M) { return Inside(M.Text); }) ||
         std::any_of(Lists.begin(), Lists.end(), [&](const AttributeList &L) {
           return L.ours() && Inside(L.Text);
         });
}

/// Whether a directive's name is at OFFSET.
static bool isDirective(llvm::StringRef Text, size_t Offset) {
  llvm::StringRef Line = Text.take_front(Offset).rtrim(" \t");
  return Line.consume_back("#") &&
         (Line.rtrim(" \t").empty() || Line.rtrim(" \t").ends_with("\n"));
}

unsigned lastInclude(llvm::StringRef Text) {
  for (size_t At = Text.rfind("include");
       At != llvm::StringRef::npos && At != 0;
       At = Text.take_front(At).rfind("include"))
    if (isDirective(Text, At))
      return static_cast<unsigned>(At);
  return 0;
}

bool mayIncludeInBody(llvm::StringRef Text, unsigned Declaration) {
  int Depth = 0;
  for (size_t At = Declaration; At < Text.size(); ++At) {
    char C = Text[At];
    if (C == '{')
      ++Depth;
    else if (C == '}' && --Depth <= 0)
      return false;
    else if (C == 'i' && Text.substr(At).starts_with("include") &&
             isDirective(Text, At))
      return true;
  }
  return false;
}

const AttributeList *SourceText::listAt(unsigned Offset) const {
  for (const AttributeList &List : Lists)
    if (List.Text.contains(Offset))
      return &List;
  return nullptr;
}

bool mentionsLoopscope(llvm::StringRef Text) {
  return Text.contains("loopscope") || Text.contains("LOOPSCOPE_");
}

bool namesCleanup(llvm::StringRef Text, const LangOptions &Lang) {
  if (!Text.contains("cleanup"))
    return false;
  std::vector<RawToken> Tokens = lex(Text, Lang);
  for (size_t I = 1; I + 1 < Tokens.size(); ++I) {
    llvm::StringRef Name = Text.slice(Tokens[I].Text.Begin, Tokens[I].Text.End);
    tok::TokenKind Before = Tokens[I - 1].Kind;
    if ((Name == "cleanup" || Name == "__cleanup__") &&
        Tokens[I + 1].Kind == tok::l_paren &&
        (Before == tok::l_paren || Before == tok::comma ||
         Before == tok::coloncolon))
      return true;
  }
  return false;
}

SourceText scanText(llvm::StringRef Text, const LangOptions &Lang) {
  return Scanner(Text, Lang).run();
}

std::string checkExpression(llvm::StringRef Expression, const LangOptions &Lang,
                            std::vector<std::string> &Names, bool &HasComma) {
  std::string Text = Expression.str();
  std::vector<tok::TokenKind> Open;
  HasComma = false;
  std::vector<RawToken> Tokens = lex(Text, Lang, /*KeepComments=*/true);
  if (Tokens.empty())
    return "it is empty";
  if (Expression.contains('\n'))
    return "it holds a line break";
  bool IsMember = false;
  for (const RawToken &T : Tokens) {
    bool WasMember =
        std::exchange(IsMember, T.Kind == tok::period || T.Kind == tok::arrow ||
                                    T.Kind == tok::coloncolon);
    switch (T.Kind) {
    case tok::raw_identifier:
      if (!WasMember)
        Names.push_back(Text.substr(T.Text.Begin, T.Text.End - T.Text.Begin));
      break;
    case tok::l_paren:
      Open.push_back(tok::r_paren);
      break;
    case tok::l_square:
      Open.push_back(tok::r_square);
      break;
    case tok::l_brace:
      Open.push_back(tok::r_brace);
      break;
    case tok::r_paren:
    case tok::r_square:
    case tok::r_brace:
      if (Open.empty() || Open.back() != T.Kind)
        return "its brackets don't match";
      Open.pop_back();
      break;
    case tok::comma:
      // In a macro argument, only parentheses protect a comma.
      HasComma |=
          std::find(Open.begin(), Open.end(), tok::r_paren) == Open.end();
      break;
    case tok::semi:
      if (Open.empty())
        return "it holds a ';'";
      break;
    case tok::comment:
      return "it holds a comment";
    case tok::hash:
    case tok::unknown:
      return "it isn't an expression";
    default:
      break;
    }
  }
  return Open.empty() ? "" : "its brackets don't match";
}

bool changesSomething(llvm::StringRef Expression, const LangOptions &Lang) {
  std::string Text = Expression.str();
  bool BehindBracket = false;
  for (const RawToken &T : lex(Text, Lang, /*KeepComments=*/true)) {
    switch (T.Kind) {
    case tok::plusplus:
    case tok::minusminus:
    case tok::plusequal:
    case tok::minusequal:
    case tok::starequal:
    case tok::slashequal:
    case tok::percentequal:
    case tok::ampequal:
    case tok::pipeequal:
    case tok::caretequal:
    case tok::lesslessequal:
    case tok::greatergreaterequal:
      return true;
    case tok::equal:
      // Not what a lambda captures.
      if (!BehindBracket)
        return true;
      break;
    case tok::raw_identifier:
      if (llvm::StringRef Name = Expression.slice(T.Text.Begin, T.Text.End);
          Name == "co_await" || Name == "co_yield")
        return true;
      break;
    default:
      break;
    }
    BehindBracket = T.Kind == tok::l_square;
  }
  return false;
}

} // namespace loopscope::instrument
