// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a trace spells what PyTorch has no word for, if `loopscope export --to
// chrome` wrote it.

#ifndef LOOPSCOPE_RUN_MODEL_OWNEXPORT_H
#define LOOPSCOPE_RUN_MODEL_OWNEXPORT_H

#include "Run/Model/Run.h"

#include <string_view>

namespace loopscope {

/// The name of a draw, which PyTorch never writes.
inline constexpr std::string_view OwnDraw =
    "enumerate(DataLoader)#loopscope.__next__";

/// Whether \p Trace was written by `loopscope export --to chrome`, which writes
/// the run's stages and loops as annotations.
bool isOwnExport(const EventStream &Trace);

/// The kind of an annotation in such an export: of a stage, loop, epoch or
/// batch by its name, else LOOPSCOPE_KIND_PHASE.
loopscope_kind ownKind(std::string_view Name);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_OWNEXPORT_H
