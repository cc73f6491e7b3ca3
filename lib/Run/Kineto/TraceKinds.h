// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an event of a PyTorch trace is, by the words in the file.

#ifndef LOOPSCOPE_RUN_KINETO_TRACEKINDS_H
#define LOOPSCOPE_RUN_KINETO_TRACEKINDS_H

#include "Run/Model/Events.h"

#include <string_view>

namespace loopscope {

/// The kind of an event with category \p Category, case-insensitively.
TraceKind traceKind(std::string_view Category, std::string_view Name);

/// Whether the category is one of PyTorch's, whatever its events are here.
bool isKnownCategory(std::string_view Category);

/// The size of a tensor's elements by their type's name, a C++ or a PyTorch one
/// ("float", "c10::Half", "BFloat16"); -1 if it isn't a type.
int64_t bytesOfElement(std::string_view Type);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_TRACEKINDS_H
