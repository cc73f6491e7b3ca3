// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The categories of all schema versions.

#include "Run/Kineto/TraceKinds.h"

#include <algorithm>
#include <array>

namespace loopscope {
namespace {

struct KindName {
  std::string_view Category; // lower case
  TraceKind Kind;
};

// Categories of all schema versions; anything else is TraceKind::Other.
constexpr std::array<KindName, 18> KindNames = {{
    {"operator", TraceKind::Operator},
    {"cpu_op", TraceKind::Operator},
    {"runtime", TraceKind::Runtime},
    {"cuda_runtime", TraceKind::Runtime},
    {"cuda_driver", TraceKind::Runtime},
    {"kernel", TraceKind::Kernel},
    {"memcpy", TraceKind::Memcpy},
    {"gpu_memcpy", TraceKind::Memcpy},
    {"memset", TraceKind::Memset},
    {"gpu_memset", TraceKind::Memset},
    {"user_annotation", TraceKind::Annotation},
    {"python", TraceKind::Python},
    {"python_function", TraceKind::Function},
    {"trace", TraceKind::Span},
    {"gpu_user_annotation", TraceKind::Other},
    {"overhead", TraceKind::Other},
    {"ac2g", TraceKind::Other},
    {"async", TraceKind::Other},
}};

bool equalsIgnoringCase(std::string_view Text, std::string_view Lower) {
  return Text.size() == Lower.size() &&
         std::equal(Text.begin(), Text.end(), Lower.begin(),
                    [](char A, char B) { return (A | 0x20) == (B | 0x20); });
}

} // namespace

TraceKind traceKind(std::string_view Category, std::string_view Name) {
  TraceKind Kind = TraceKind::Other;
  for (const KindName &Known : KindNames)
    if (equalsIgnoringCase(Category, Known.Category)) {
      Kind = Known.Kind;
      break;
    }
  if ((Kind == TraceKind::Operator || Kind == TraceKind::Annotation) &&
      Name.starts_with("ProfilerStep#"))
    return TraceKind::Step;
  return Kind;
}

} // namespace loopscope
