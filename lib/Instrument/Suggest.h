//===- Suggest.h - A selection file for a program without annotations -----===//

#ifndef LOOPSCOPE_LIB_INSTRUMENT_SUGGEST_H
#define LOOPSCOPE_LIB_INSTRUMENT_SUGGEST_H

#include "Places.h"

namespace loopscope::instrument {

/// The rules, with comments that say what they rest on, that fit the training
/// loops of the translation unit: lines of YAML under `rules:`. "" when nothing
/// looks like one.
///
/// A loop over batches is a loop that calls at least two of: forward, loss,
/// backward, optimizer step, gradient reset, judged by the callee's name; with
/// a backward or optimizer step it trains. It may also call, directly or not, a
/// function that goes backward and steps. A loop in it that draws and goes
/// forward validates. The loop around it, or around the call of its function,
/// is the loop over epochs.
std::string suggestRules(clang::ASTContext &Context, const Places &Where);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_LIB_INSTRUMENT_SUGGEST_H
