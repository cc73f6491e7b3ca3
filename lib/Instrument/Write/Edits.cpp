// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotations -> sites -> text edits.

#include "Instrument/Write/Edits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <algorithm>

namespace loopscope::instrument {
namespace {

/// Whether TEXT holds nothing but white space and comments.
bool isBlank(llvm::StringRef Text) {
  for (;;) {
    Text = Text.ltrim();
    if (Text.empty())
      return true;
    size_t End = llvm::StringRef::npos;
    if (Text.starts_with("//"))
      End = Text.find('\n');
    else if (Text.starts_with("/*"))
      End = Text.find("*/", 2);
    else
      return false;
    if (End == llvm::StringRef::npos)
      return true;
    Text = Text.drop_front(Text[0] == Text[1] ? End : End + 2);
  }
}

/// Whether a span of this kind can start at the last clock reading.
bool canFollow(Kind K) { return K != Kind::Draw && !isLoopKind(K); }

/// Whether the hooks of the annotation end with a clock reading at the end of
/// its text, however control leaves the text.
bool endsWithReading(const Annotation &A) {
  return A.F != Form::Loop || A.K != Kind::Epoch;
}

/// The offset after the brace of the block at whose start A reads the clock, or
/// 0.
unsigned opensBlock(const Annotation &A) {
  bool Reads = A.F == Form::Block || A.F == Form::Loop;
  // A draw in a step reads the clock, and so does one outside a step.
  return Reads && A.Body.Braced ? A.Body.Text.Begin : 0;
}

bool startsAtReading(const Annotation &A, const std::vector<Site> &Earlier,
                     llvm::StringRef Text) {
  if (!canFollow(A.K))
    return false;
  for (const Site &S : Earlier) {
    const Annotation &Before = S.A;
    // A function's hook reads no clock if functions aren't recorded.
    if (Before.K == Kind::Function)
      continue;
    // Two annotations of one construct: the outer guard comes directly before.
    if (Before.Whole == A.Whole && Before.F == A.F)
      return true;
    // The whole body of a loop, right after the guard of its step.
    if (Before.F == Form::Loop && !Before.Body.Braced &&
        Before.Body.Text.Begin == A.AnnotationBegin)
      return true;
    if (A.Parent == 0)
      continue;
    bool Follows = Before.Parent == A.Parent && endsWithReading(Before) &&
                   Before.Whole.End <= A.AnnotationBegin &&
                   isBlank(Text.slice(Before.Whole.End, A.AnnotationBegin));
    bool Opens = opensBlock(Before) == A.Parent &&
                 isBlank(Text.slice(A.Parent, A.AnnotationBegin));
    if (Follows || Opens)
      return true;
  }
  return false;
}

std::string guard(llvm::StringRef Macro, const Site &S) {
  const char *Inline =
      S.A.K == Kind::Function && S.A.IsExternInline ? "INLINE_" : "";
  return fmt::format("__LOOPSCOPE_{}({}, {}{}, {}, {}, {});", Macro.str(), S.ID,
                     Inline, info(S.A.K).Macro.str(), quote(S.A.Name), S.A.Line,
                     quote(S.A.Function));
}

/// The guard of a span with a key. The expression passes through a macro of its
/// own.
std::string keyedGuard(const Site &S) {
  std::string Label = quote(S.A.KeyLabel);
  std::string Key = S.A.Amounts[Quantity::Key].Text;
  if (!S.A.KeyNames.empty())
    Label = fmt::format("__LOOPSCOPE_ENUM_LABEL {} __LOOPSCOPE_ENUM_LABEL {}",
                        quote(S.A.KeyNames), Label);
  if (std::optional<llvm::StringRef> Object = objectOfKey(Key)) {
    Label = "__LOOPSCOPE_TYPE_LABEL " + Label;
    Key = fmt::format("::__loopscope_type_of({})", Object->str());
  }
  return fmt::format("__LOOPSCOPE_KEYED_SITE({}, {}, {}, {}, {}, {}); "
                     "__LOOPSCOPE_KEYED({}, {}, {});",
                     S.ID, info(S.A.K).Macro.str(), quote(S.A.Name), S.A.Line,
                     quote(S.A.Function), Label, S.ID, S.Next ? 1 : 0, Key);
}

/// The hook of an amount, given as \p Said, for the guard \p ID.
std::string amount(const QuantityInfo &I, llvm::StringRef Hook,
                   const std::string &ID, const std::string &Said) {
  return fmt::format(" __LOOPSCOPE_{}({}, {}{});", Hook.str(), ID,
                     I.IsHookNamed ? I.Key.str() + ", " : "", Said);
}

std::string span(const Site &S) {
  std::string Text = S.A.Amounts[Quantity::Key].Text.empty()
                         ? guard(S.Next ? "SPAN_NEXT" : "SPAN", S)
                         : keyedGuard(S);
  for (const QuantityInfo &I : quantities())
    if (const std::string &Said = S.A.Amounts[I.Q].Text;
        !Said.empty() && !I.isOfSteps(S.A.K) && I.Q != Quantity::Key)
      Text += amount(I, I.Hook, S.ID, Said);
  return Text;
}

/// The prefix of the IDs of a file's sites. A file may be included into the
/// middle of another's block, so IDs must differ between files; and every unit
/// must rewrite a header in the same way. With the number that follows, an ID
/// is a preprocessing number, which no macro replaces.
std::string idPrefix(const SourceFile &File) {
  if (File.Main)
    return "";
  std::string Name = llvm::sys::path::filename(File.Path).str();
  return std::to_string(llvm::xxh3_64bits(Name + "\n" + File.Text) &
                        0xffffffff) +
         "_";
}

/// Edits at one place are ordered: what ends there, then what belongs after
/// that, then what starts there.
enum Order { Closing, Behind, Opening };

struct Ordered {
  Edit E;
  Order O;
};

class Planner {
public:
  std::vector<Edit> run(const std::vector<Site> &Sites,
                        const SourceFile &File) {
    for (const Site &S : Sites)
      open(S);
    // Inner constructs close first.
    for (auto S = Sites.rbegin(); S != Sites.rend(); ++S)
      close(*S);
    for (Range R : File.Blanks)
      blank(R, File.Text);
    std::stable_sort(Edits.begin(), Edits.end(),
                     [](const Ordered &A, const Ordered &B) {
                       return A.E.Where.Begin != B.E.Where.Begin
                                  ? A.E.Where.Begin < B.E.Where.Begin
                                  : A.O < B.O;
                     });
    separate(File.Text);
    std::vector<Edit> Result;
    for (Ordered &Each : Edits)
      Result.push_back(std::move(Each.E));
    return Result;
  }

private:
  void insert(unsigned Offset, std::string Text, Order O) {
    Edits.push_back({{{Offset, Offset}, std::move(Text)}, O});
  }

  void open(const Site &S) {
    const Annotation &A = S.A;
    switch (A.F) {
    case Form::Block:
      insert(A.Body.Text.Begin, span(S), Opening);
      break;
    case Form::Wrap:
      insert(A.Whole.Begin, fmt::format("{{{}", span(S)), Opening);
      break;
    case Form::Pair:
      insert(A.Whole.Begin, span(S), Opening);
      break;
    case Form::Loop:
      if (isStepKind(A.K))
        insert(A.Whole.Begin, fmt::format("{{{}", span(S)), Opening);
      insert(A.Body.Text.Begin,
             fmt::format("{}{}", A.Body.Braced ? "" : "{", body(S)), Opening);
      break;
    }
  }

  static std::string body(const Site &S) {
    if (!isStepKind(S.A.K))
      return span(S);
    std::string Text = fmt::format("__LOOPSCOPE_STEP({}, {});", S.StepID, S.ID);
    for (const QuantityInfo &I : quantities())
      if (hasOfSteps(S, I) && S.A.Amounts[I.Q].At == 0)
        Text += ofSteps(S, I);
    return Text;
  }

  static bool hasOfSteps(const Site &S, const QuantityInfo &I) {
    return I.isOfSteps(S.A.K) && !S.A.Amounts[I.Q].Text.empty();
  }

  static std::string ofSteps(const Site &S, const QuantityInfo &I) {
    return amount(I, I.StepHook, S.StepID, S.A.Amounts[I.Q].Text);
  }

  void close(const Site &S) {
    const Annotation &A = S.A;
    switch (A.F) {
    case Form::Block:
      break;
    case Form::Wrap:
      insert(A.Whole.End, "}", Closing);
      break;
    case Form::Pair:
      insert(A.Whole.End, fmt::format(" __LOOPSCOPE_END({});", S.ID), Closing);
      break;
    case Form::Loop:
      if (!A.Body.Braced)
        insert(A.Body.Text.End, "}", Closing);
      for (const QuantityInfo &I : quantities())
        if (unsigned At = A.Amounts[I.Q].At; At != 0 && hasOfSteps(S, I))
          insert(At, ofSteps(S, I), Behind);
      if (isStepKind(A.K))
        insert(A.Whole.End, "}", Closing);
      break;
    }
  }

  /// Separates hooks from the text after them, without trailing blanks.
  void separate(llvm::StringRef Text) {
    for (size_t I = 0; I < Edits.size(); ++I) {
      Ordered &Each = Edits[I];
      unsigned Offset = Each.E.Where.Begin;
      bool MoreHere =
          I + 1 < Edits.size() && Edits[I + 1].E.Where.Begin == Offset;
      bool CodeHere = Offset < Text.size() && !llvm::isSpace(Text[Offset]) &&
                      Text[Offset] != '}';
      if (Each.O == Opening && llvm::StringRef(Each.E.Text).ends_with(";") &&
          (MoreHere || CodeHere))
        Each.E.Text += ' ';
    }
  }

  void blank(Range R, llvm::StringRef Text) {
    std::string Spaces = Text.slice(R.Begin, R.End).str();
    for (char &C : Spaces)
      if (C != '\n' && C != '\r' && C != '\t')
        C = ' ';
    Edits.push_back({{R, std::move(Spaces)}, Opening});
  }

  std::vector<Ordered> Edits;
};

} // namespace

std::vector<Site> numberSites(const Unit &U, unsigned File) {
  std::vector<Site> Sites;
  for (const Annotation &A : U.Annotations)
    if (A.File == File)
      Sites.push_back({A, "", "", false});
  std::stable_sort(Sites.begin(), Sites.end(),
                   [](const Site &A, const Site &B) {
                     if (A.A.Whole.Begin != B.A.Whole.Begin)
                       return A.A.Whole.Begin < B.A.Whole.Begin;
                     if (A.A.Whole.End != B.A.Whole.End)
                       return A.A.Whole.End > B.A.Whole.End;
                     // Nothing may come between a loop and its steps.
                     return isStepKind(A.A.K) < isStepKind(B.A.K);
                   });
  unsigned Number = 0;
  std::string Prefix = idPrefix(U.Files[File]);
  auto NextID = [&] { return Prefix + std::to_string(++Number); };
  std::vector<Site> Numbered;
  for (Site &S : Sites) {
    S.ID = NextID();
    if (isStepKind(S.A.K))
      S.StepID = NextID();
    S.Next = startsAtReading(S.A, Numbered, U.Files[File].Text);
    Numbered.push_back(std::move(S));
  }
  return Numbered;
}

std::vector<Edit> planEdits(const std::vector<Site> &Sites,
                            const SourceFile &File) {
  return Planner().run(Sites, File);
}

std::string applyEdits(llvm::StringRef Text, const std::vector<Edit> &Edits) {
  std::string Result;
  unsigned Done = 0;
  for (const Edit &E : Edits) {
    Result += Text.slice(Done, E.Where.Begin);
    Result += E.Text;
    Done = E.Where.End;
  }
  Result += Text.drop_front(Done);
  return Result;
}

std::string quote(llvm::StringRef Text) {
  std::string Result = "\"";
  for (char C : Text) {
    auto Byte = static_cast<unsigned char>(C);
    if (C == '"' || C == '\\')
      Result += {'\\', C};
    else if (C == '?' && Result.back() == '?')
      Result += "\\?"; // No trigraphs.
    else if (C == '\t')
      Result += "\\t";
    else if (C == '\n')
      Result += "\\n";
    else if (Byte < 0x20 || Byte == 0x7f)
      Result += fmt::format("\\{:03o}", Byte);
    else
      Result += C;
  }
  return Result + '"';
}

} // namespace loopscope::instrument
