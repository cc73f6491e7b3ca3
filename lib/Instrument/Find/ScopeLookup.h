// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a name means at a place in a function, after the parse: Clang's own
// scopes are gone by then.

#ifndef LOOPSCOPE_INSTRUMENT_FIND_SCOPELOOKUP_H
#define LOOPSCOPE_INSTRUMENT_FIND_SCOPELOOKUP_H

#include "Instrument/Find/Finder.h"

#include "llvm/ADT/SmallVector.h"

namespace loopscope::instrument {

/// Where a name is used.
struct UsePlace {
  llvm::ArrayRef<FunctionScope> Scopes; ///< Innermost last; at least one.
  llvm::ArrayRef<const clang::Stmt *> Parents; ///< See Finder::Parents.
  const clang::Stmt *Loop = nullptr; ///< Its head's names are visible, too.
  clang::SourceLocation At;          ///< Later declarations don't count.
};

/// Looks names up as a compiler does at a place, without argument-dependent
/// lookup. Where several things may be meant it finds all of them.
class ScopeLookup {
public:
  using Names = llvm::SmallVector<const clang::NamedDecl *, 4>;

  ScopeLookup(const clang::ASTContext &Context, const UsePlace &Place)
      : Context(Context), Place(Place) {}

  /// What \p Name means alone; with \p IsTag, behind `enum` or `struct` in C.
  Names find(llvm::StringRef Name, bool IsTag = false) const;
  /// What it means behind `::`.
  Names findGlobal(llvm::StringRef Name) const;
  /// What it means as a member of a class, a namespace or an enumeration. None
  /// if a base class depends on a template's arguments.
  Names findIn(const clang::DeclContext &Of, llvm::StringRef Name) const;
  /// The class whose object is `this`; null outside of its functions.
  const clang::CXXRecordDecl *classOfThis() const;

private:
  bool isVisible(const clang::NamedDecl &D) const;
  Names pick(clang::DeclContext::lookup_result From, bool IsTag,
             bool MustPrecede) const;
  Names inBlock(const clang::Stmt &S, llvm::StringRef Name) const;
  Names inFunction(size_t Scope, llvm::StringRef Name) const;
  Names inNamespaces(const clang::DeclContext *From, llvm::StringRef Name,
                     bool IsTag) const;

  const clang::ASTContext &Context;
  UsePlace Place;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FIND_SCOPELOOKUP_H
