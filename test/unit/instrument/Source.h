// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hand-made unit: the input of the plan.

#ifndef LOOPSCOPE_TEST_UNIT_INSTRUMENT_SOURCE_H
#define LOOPSCOPE_TEST_UNIT_INSTRUMENT_SOURCE_H

#include "Instrument/Write/Edits.h"

#include <gtest/gtest.h>

namespace loopscope::instrument {

/// A unit of one file. Ranges are given by the text in them.
class Source {
public:
  explicit Source(std::string Text) {
    U.Files.push_back({"/x.cpp", "x.cpp", std::move(Text), true, {}});
  }

  Range range(const std::string &Part) const {
    size_t At = U.Files[0].Text.find(Part);
    EXPECT_NE(At, std::string::npos) << Part;
    return {static_cast<unsigned>(At), static_cast<unsigned>(At + Part.size())};
  }

  /// Adds an annotation of a construct that is its own lead.
  Annotation &add(Kind K, Form F, const std::string &Part,
                  const char *Name = "") {
    Annotation A;
    A.K = K;
    A.F = F;
    A.Name = Name;
    A.Function = "f";
    A.Line = 3;
    A.Whole = range(Part);
    A.AnnotationBegin = A.Whole.Begin;
    U.Annotations.push_back(A);
    return U.Annotations.back();
  }

  std::vector<Site> sites() const { return numberSites(U, 0); }

  std::string rewritten() const {
    return applyEdits(U.Files[0].Text, planEdits(sites(), U.Files[0]));
  }

  Unit U;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_TEST_UNIT_INSTRUMENT_SOURCE_H
