// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts of this process. They are kept beside the profile, because a
// program may tell them before it has one, and so that forked children have
// them, too.

#ifndef LOOPSCOPE_FACTS_KEPT_H
#define LOOPSCOPE_FACTS_KEPT_H

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// A fact as it is told.
struct ToldFact {
  const char *Name; ///< null: it has none
  loopscope_fact_type Type;
  uint64_t Value;   ///< of a number, as in loopscope_fact_record
  const char *Text; ///< of a text or numeral, else ""
};

/// Keeps a fact, also in the profile if there is one. The last one of a name
/// wins. Counts what has no room. Slow lock held.
void keepFact(const ToldFact &Told);

/// Whether a fact has this name. Slow lock held.
bool isKept(const char *Name);

/// Writes all facts into a new profile. Slow lock held.
void writeFacts();

/// For a forked child: its facts are in no profile yet.
void forgetFactRecords();

/// The function of the process's runtime that takes a fact, for any thread.
void takeFact(const ToldFact &Told);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_FACTS_KEPT_H
