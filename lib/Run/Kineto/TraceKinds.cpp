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
constexpr std::array<KindName, 23> KindNames = {{
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
    {"cpu_instant_event", TraceKind::Other},
    {"collective_comm", TraceKind::Other},
    {"mtia_ccp_events", TraceKind::Other},
    {"mtia_workloadd", TraceKind::Other},
    {"hpu_op", TraceKind::Other},
}};

struct ElementName {
  std::string_view Type;
  int64_t Bytes;
};

constexpr std::array<ElementName, 24> ElementNames = {{
    {"float", 4},
    {"double", 8},
    {"int", 4},
    {"long int", 8},
    {"long", 8},
    {"short", 2},
    {"short int", 2},
    {"signed char", 1},
    {"char", 1},
    {"unsigned char", 1},
    {"byte", 1},
    {"bool", 1},
    {"c10::half", 2},
    {"half", 2},
    {"c10::bfloat16", 2},
    {"bfloat16", 2},
    {"c10::complex<float>", 8},
    {"complexfloat", 8},
    {"c10::complex<double>", 16},
    {"complexdouble", 16},
    {"float8_e4m3fn", 1},
    {"float8_e5m2", 1},
    {"c10::float8_e4m3fn", 1},
    {"c10::float8_e5m2", 1},
}};

// Other devices' runtimes: "xpu_runtime", "privateuse1_driver".
bool isRuntime(std::string_view Category) {
  return Category.ends_with("_runtime") || Category.ends_with("_driver");
}

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
  if (Kind == TraceKind::Other && isRuntime(Category))
    return TraceKind::Runtime;
  if ((Kind == TraceKind::Operator || Kind == TraceKind::Annotation) &&
      Name.starts_with("ProfilerStep#"))
    return TraceKind::Step;
  return Kind;
}

bool isKnownCategory(std::string_view Category) {
  return isRuntime(Category) ||
         std::ranges::any_of(KindNames, [&](const KindName &Known) {
           return equalsIgnoringCase(Category, Known.Category);
         });
}

int64_t bytesOfElement(std::string_view Type) {
  for (const ElementName &Known : ElementNames)
    if (equalsIgnoringCase(Type, Known.Type))
      return Known.Bytes;
  return -1;
}

} // namespace loopscope
