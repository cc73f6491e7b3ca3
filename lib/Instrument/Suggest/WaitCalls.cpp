// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises library calls that only wait for other threads.

#include "Instrument/Suggest/WaitCalls.h"

#include "Instrument/Suggest/CalleeName.h"

#include <algorithm>
#include <span>
#include <string>

namespace loopscope::instrument {
namespace {

using List = std::span<const std::string_view>;

bool isOneOf(std::string_view Word, List Any) {
  return std::ranges::find(Any, Word) != Any.end();
}

struct Class {
  std::string_view Name;
  List Waits;
};

/// libstdc++'s base classes stand for the derived ones. Namespaces between
/// `std` and the class are the library's own.
constexpr std::string_view Futures[] = {"get", "wait", "wait_for",
                                        "wait_until"};
constexpr std::string_view Conditions[] = {"wait", "wait_for", "wait_until"};
constexpr std::string_view Joins[] = {"join"};
constexpr std::string_view Arrivals[] = {"wait", "arrive_and_wait"};
constexpr std::string_view Acquisitions[] = {"acquire", "try_acquire_for",
                                             "try_acquire_until"};
constexpr Class Classes[] = {{"condition_variable", Conditions},
                             {"condition_variable_any", Conditions},
                             {"future", Futures},
                             {"shared_future", Futures},
                             {"__basic_future", Futures},
                             {"thread", Joins},
                             {"jthread", Joins},
                             {"barrier", Arrivals},
                             {"latch", Arrivals},
                             {"counting_semaphore", Acquisitions}};

constexpr std::string_view Functions[] = {
    "pthread_barrier_wait",   "pthread_cond_wait", "pthread_cond_timedwait",
    "pthread_cond_clockwait", "pthread_join",      "pthread_timedjoin_np",
    "pthread_clockjoin_np",   "sem_wait",          "sem_timedwait",
    "sem_clockwait",          "thrd_join",         "cnd_wait",
    "cnd_timedwait"};

} // namespace

bool isWaitCall(std::string_view Callee) {
  std::string Name = withoutArguments(Callee);
  if (!Name.starts_with("std::"))
    return isOneOf(Name, Functions);
  size_t Method = Name.rfind("::");
  size_t Class = Name.rfind("::", Method - 1);
  if (Class == std::string::npos)
    return false;
  std::string_view All = Name;
  std::string_view Of = All.substr(Class + 2, Method - Class - 2);
  return std::ranges::any_of(Classes, [&](const auto &Each) {
    return Each.Name == Of && isOneOf(All.substr(Method + 2), Each.Waits);
  });
}

} // namespace loopscope::instrument
