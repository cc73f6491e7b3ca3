//===- FunctionNames.cpp - What functions are called ----------------------===//

#include "Annotations.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Version.h"

using namespace clang;

namespace loopscope::instrument {

std::string functionName(const FunctionDecl &Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  if (!Method || !Method->getParent()->isLambda()) {
    PrintingPolicy Policy = Function.getASTContext().getPrintingPolicy();
    Policy.SuppressUnwrittenScope = false;
#if CLANG_VERSION_MAJOR >= 22
    Policy.SuppressInlineNamespace =
        llvm::to_underlying(PrintingPolicy::SuppressInlineNamespaceMode::None);
#else
    Policy.SuppressInlineNamespace = false;
#endif
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    Function.printQualifiedName(OS, Policy);
    // The name of a conversion holds its canonical type, which in a template is
    // not what is written.
    if (const auto *Conversion = dyn_cast<CXXConversionDecl>(&Function)) {
      size_t Operator = Name.rfind("operator ");
      Name.replace(Operator, std::string::npos,
                   "operator " +
                       Conversion->getReturnType().getAsString(Policy));
    }
    return Name;
  }
  const DeclContext *Outer = Method->getParent()->getParent();
  while (Outer && !Outer->isFunctionOrMethod())
    Outer = Outer->getParent();
  const auto *Parent = dyn_cast_or_null<FunctionDecl>(Outer);
  return Parent ? functionName(*Parent) + "::(lambda)" : "(lambda)";
}

} // namespace loopscope::instrument
