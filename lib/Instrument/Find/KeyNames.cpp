// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Key's text -> type -> enumerators.

#include "Instrument/Find/KeyNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace clang;

namespace loopscope::instrument {
namespace {

/// gcc warns of longer literals in C.
constexpr size_t LongestNames = 4000;

struct KeyToken {
  tok::TokenKind Kind = tok::eof;
  std::string Text;
};

/// Ends with an eof.
std::vector<KeyToken> tokensOf(llvm::StringRef Expression,
                               const LangOptions &Lang) {
  std::string Text = Expression.str();
  Lexer Raw(SourceLocation(), Lang, Text.data(), Text.data(),
            Text.data() + Text.size());
  std::vector<KeyToken> Result;
  Token Next;
  do {
    Raw.LexFromRawLexer(Next);
    std::string Its = Next.is(tok::raw_identifier)
                          ? Next.getRawIdentifier().str()
                          : std::string();
    Result.push_back({Next.getKind(), std::move(Its)});
  } while (Next.isNot(tok::eof));
  return Result;
}

/// Finds out the type of an expression. Types that it doesn't know are null.
class KeyReader {
public:
  KeyReader(const ASTContext &Context, const UsePlace &Place,
            llvm::StringRef Expression)
      : Context(Context), Lookup(Context, Place),
        Tokens(tokensOf(Expression, Context.getLangOpts())) {}

  QualType read() {
    if (llvm::any_of(Tokens, [&](const KeyToken &T) {
          return T.Kind == tok::raw_identifier &&
                 Context.Idents.get(T.Text).hadMacroDefinition();
        }))
      return {};
    QualType Result = unary();
    return is(tok::eof) ? Result : QualType();
  }

private:
  /// What a name stands for, before it is known what follows.
  struct Meaning {
    QualType Type;                   ///< Of a value, or of what a call has.
    const DeclContext *In = nullptr; ///< Of what has members behind `::`.
    bool IsType = false;
    bool IsFunction = false;
  };

  bool is(tok::TokenKind Kind) const { return Tokens[At].Kind == Kind; }
  bool is(llvm::StringRef Word) const {
    return is(tok::raw_identifier) && Tokens[At].Text == Word;
  }
  template <typename T> bool take(const T &What) {
    if (!is(What))
      return false;
    ++At;
    return true;
  }
  /// Whatever isn't understood, so that the end isn't reached.
  QualType fail() {
    At = Tokens.size() - 1;
    Tokens.push_back({tok::eof, ""});
    Tokens[At].Kind = tok::unknown;
    return {};
  }
  /// Passes over a bracket and what is in it.
  void group(tok::TokenKind Open, tok::TokenKind Close) {
    int Depth = 0;
    do {
      Depth += is(Open) ? 1 : is(Close) ? -1 : 0;
      ++At;
    } while (Depth != 0 && !is(tok::eof));
  }

  Meaning meaningOf(const ScopeLookup::Names &Found) const;
  Meaning name(bool IsTag);
  /// A type's name, in C with `enum`; null, and nothing read, if there is none.
  QualType typeName();
  QualType unary();
  /// Passes over what a cast is for, of any type.
  void skipUnary();
  QualType primary();
  QualType behind(Meaning Of);
  const DeclContext *membersOf(QualType Object, bool ByArrow) const;

  const ASTContext &Context;
  ScopeLookup Lookup;
  std::vector<KeyToken> Tokens;
  size_t At = 0;
};

KeyReader::Meaning KeyReader::meaningOf(const ScopeLookup::Names &Found) const {
  Meaning Result;
  bool IsFirst = true;
  for (const NamedDecl *Each : Found) {
    Meaning Next;
    if (const auto *Namespace = dyn_cast<NamespaceDecl>(Each))
      Next.In = Namespace->getPrimaryContext();
    else if (const auto *Alias = dyn_cast<NamespaceAliasDecl>(Each))
      Next.In = Alias->getNamespace()->getPrimaryContext();
    else if (const auto *Type = dyn_cast<TypeDecl>(Each)) {
      Next.IsType = true;
      Next.Type = Context.getTypeDeclType(Type);
      if (const TagDecl *Tag = Next.Type->getAsTagDecl())
        Next.In = Tag->getDefinition();
    } else if (const FunctionDecl *Function = Each->getAsFunction()) {
      Next.IsFunction = true;
      Next.Type = Function->getReturnType();
    } else if (const auto *Value = dyn_cast<ValueDecl>(Each)) {
      Next.Type = Value->getType();
    }
    if (!Next.Type.isNull())
      Next.Type = Next.Type.getNonReferenceType().getUnqualifiedType();
    // Which of them is meant doesn't matter if they agree.
    bool Agrees =
        IsFirst ||
        (Next.In == Result.In && Next.IsType == Result.IsType &&
         Next.IsFunction == Result.IsFunction &&
         Next.Type.isNull() == Result.Type.isNull() &&
         (Next.Type.isNull() || Context.hasSameType(Next.Type, Result.Type)));
    if (!Agrees)
      return {};
    Result = Next;
    IsFirst = false;
  }
  return Result;
}

KeyReader::Meaning KeyReader::name(bool IsTag) {
  bool IsGlobal = take(tok::coloncolon);
  if (!is(tok::raw_identifier)) {
    fail();
    return {};
  }
  llvm::StringRef First = Tokens[At++].Text;
  Meaning Result = meaningOf(IsGlobal ? Lookup.findGlobal(First)
                                      : Lookup.find(First, IsTag));
  while (take(tok::coloncolon)) {
    if (!is(tok::raw_identifier)) {
      fail();
      return {};
    }
    llvm::StringRef Next = Tokens[At++].Text;
    Result = Result.In ? meaningOf(Lookup.findIn(*Result.In, Next)) : Meaning();
  }
  return Result;
}

QualType KeyReader::typeName() {
  size_t Before = At;
  while (take("const") || take("volatile"))
    ;
  bool IsTag = take("enum");
  if (is(tok::raw_identifier) || is(tok::coloncolon))
    if (Meaning Of = name(IsTag); Of.IsType && !is(tok::unknown)) {
      while (take("const") || take("volatile"))
        ;
      return Of.Type;
    }
  At = Before;
  return {};
}

QualType KeyReader::unary() {
  if (take(tok::star)) {
    QualType Of = unary();
    if (Of.isNull() || !(Of->isPointerType() || Of->isArrayType()))
      return {};
    return Of->isArrayType() ? Context.getAsArrayType(Of)->getElementType()
                             : Of->getPointeeType();
  }
  if (is(tok::l_paren)) {
    size_t Before = At++;
    QualType Cast = typeName();
    if (!Cast.isNull() && take(tok::r_paren) && !is(tok::eof)) {
      skipUnary();
      return Cast;
    }
    At = Before;
  }
  return primary();
}

void KeyReader::skipUnary() {
  while (take(tok::star) || take(tok::amp) || take(tok::minus) ||
         take(tok::plus) || take(tok::tilde) || take(tok::exclaim))
    ;
  bool IsGroup = is(tok::l_paren);
  if (IsGroup)
    group(tok::l_paren, tok::r_paren);
  else if (tok::isLiteral(Tokens[At].Kind))
    ++At;
  else if (is(tok::raw_identifier) || is(tok::coloncolon))
    name(false);
  else
    fail();
  // Another cast, or a call.
  if (IsGroup && (is(tok::raw_identifier) || is(tok::coloncolon) ||
                  tok::isLiteral(Tokens[At].Kind)))
    skipUnary();
  for (;;)
    if (is(tok::l_paren))
      group(tok::l_paren, tok::r_paren);
    else if (is(tok::l_square))
      group(tok::l_square, tok::r_square);
    else if (!take(tok::period) && !take(tok::arrow))
      return;
    else if (!take(tok::raw_identifier)) {
      fail();
      return;
    }
}

QualType KeyReader::primary() {
  if (take("static_cast") && take(tok::less)) {
    QualType Cast = typeName();
    if (!take(tok::greater) || !is(tok::l_paren))
      return fail();
    group(tok::l_paren, tok::r_paren);
    return behind({Cast});
  }
  if (take("this")) {
    const CXXRecordDecl *Class = Lookup.classOfThis();
    if (!Class || !take(tok::arrow) || !is(tok::raw_identifier))
      return fail();
    return behind(meaningOf(Lookup.findIn(*Class, Tokens[At++].Text)));
  }
  if (take(tok::l_paren)) {
    QualType Inner = unary();
    return take(tok::r_paren) ? behind({Inner}) : fail();
  }
  if (take(tok::numeric_constant))
    return behind({});
  if (!is(tok::raw_identifier) && !is(tok::coloncolon))
    return fail();
  Meaning Of = name(false);
  // A value of the type is made.
  if (Of.IsType && is(tok::l_paren)) {
    group(tok::l_paren, tok::r_paren);
    Of = {Of.Type};
  } else if (Of.IsType && is(tok::l_brace)) {
    group(tok::l_brace, tok::r_brace);
    Of = {Of.Type};
  }
  return Of.IsType ? fail() : behind(Of);
}

const DeclContext *KeyReader::membersOf(QualType Object, bool ByArrow) const {
  if (Object.isNull())
    return nullptr;
  if (ByArrow && Object->isArrayType())
    Object = Context.getAsArrayType(Object)->getElementType();
  else if (ByArrow && Object->isPointerType())
    Object = Object->getPointeeType();
  else if (ByArrow) {
    // A smart pointer's operator.
    const CXXRecordDecl *Class = Object->getAsCXXRecordDecl();
    if (!Class || !Class->hasDefinition())
      return nullptr;
    auto Arrow = Context.DeclarationNames.getCXXOperatorName(OO_Arrow);
    Meaning Of =
        meaningOf({Class->lookup(Arrow).begin(), Class->lookup(Arrow).end()});
    if (Of.Type.isNull() || !Of.Type->isPointerType())
      return nullptr;
    Object = Of.Type->getPointeeType();
  }
  const TagDecl *Tag = Object->getAsTagDecl();
  return Tag ? Tag->getDefinition() : nullptr;
}

/// Members, calls and elements of OF.
QualType KeyReader::behind(Meaning Of) {
  for (;;) {
    if (is(tok::l_paren)) {
      group(tok::l_paren, tok::r_paren);
      // A pointer to a function, or an object that can be called.
      if (!Of.IsFunction && !Of.Type.isNull()) {
        QualType Pointee =
            Of.Type->isPointerType() ? Of.Type->getPointeeType() : Of.Type;
        const auto *Function = Pointee->getAs<FunctionType>();
        Of.Type = Function ? Function->getReturnType() : QualType();
      }
      Of.IsFunction = false;
    } else if (Of.IsFunction) {
      return fail(); // its address
    } else if (is(tok::l_square)) {
      group(tok::l_square, tok::r_square);
      QualType Element;
      if (!Of.Type.isNull() && Of.Type->isArrayType())
        Element = Context.getAsArrayType(Of.Type)->getElementType();
      else if (!Of.Type.isNull() && Of.Type->isPointerType())
        Element = Of.Type->getPointeeType();
      else if (const CXXRecordDecl *Class =
                   Of.Type.isNull() ? nullptr : Of.Type->getAsCXXRecordDecl();
               Class && Class->hasDefinition()) {
        auto Index = Context.DeclarationNames.getCXXOperatorName(OO_Subscript);
        Element = meaningOf({Class->lookup(Index).begin(),
                             Class->lookup(Index).end()})
                      .Type;
      }
      Of = {Element};
    } else if (is(tok::period) || is(tok::arrow)) {
      const DeclContext *In = membersOf(Of.Type, is(tok::arrow));
      ++At;
      if (!is(tok::raw_identifier))
        return fail();
      llvm::StringRef Name = Tokens[At++].Text;
      Of = In ? meaningOf(Lookup.findIn(*In, Name)) : Meaning();
    } else {
      return Of.Type.isNull() ? QualType() : Of.Type.getNonReferenceType();
    }
  }
}
} // namespace

std::string keyNames(const ASTContext &Context, const UsePlace &Place,
                     llvm::StringRef Expression) {
  QualType Type = KeyReader(Context, Place, Expression).read();
  const auto *Enum = Type.isNull()
                         ? nullptr
                         : dyn_cast_or_null<EnumDecl>(Type->getAsTagDecl());
  Enum = Enum ? Enum->getDefinition() : nullptr;
  if (!Enum || Enum->getIntegerType().isNull())
    return "";
  QualType Integer = Enum->getIntegerType();
  bool IsSigned = Integer->isSignedIntegerType();
  auto Bits = static_cast<unsigned>(Context.getTypeSize(Integer));
  std::string Result;
  std::set<std::string> Values; // the first name of a value counts
  for (const EnumConstantDecl *Each : Enum->enumerators()) {
    llvm::APSInt Value = Each->getInitVal().extOrTrunc(Bits);
    Value.setIsSigned(IsSigned);
    std::string Number = llvm::toString(Value, 10);
    if (!Values.insert(Number).second)
      continue;
    if (!Result.empty())
      Result += ',';
    Result += Number + '=';
    if (Enum->isScoped())
      Result += Enum->getName().str() + "::";
    Result += Each->getName();
  }
  return Result.size() <= LongestNames ? Result : "";
}

} // namespace loopscope::instrument
