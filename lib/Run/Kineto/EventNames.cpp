// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at each name once, then at each event.

#include "Run/Kineto/EventNames.h"

#include "Run/Model/KnownNames.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

using namespace loopscope;

namespace {
// The name of a draw in an export, which PyTorch never writes.
constexpr std::string_view Draw = "enumerate(DataLoader)#loopscope.__next__";
constexpr std::string_view DrawName = "draw";
constexpr std::string_view StepPrefix = "ProfilerStep#";

// What an export writes before the names of some annotations.
struct Prefix {
  std::string_view Text;
  EventUse Use;
  loopscope_kind Kind;
};
constexpr std::array<Prefix, 3> Prefixes = {{
    {"loopscope.wait: ", EventUse::None, LOOPSCOPE_KIND_WAIT},
    {"loopscope.collective: ", EventUse::Exchange, LOOPSCOPE_KIND_COLLECTIVE},
    {"loopscope.cut: ", EventUse::Cut, LOOPSCOPE_KIND_PHASE},
}};

// An export's annotations that are no phases.
constexpr std::array<std::pair<std::string_view, loopscope_kind>, 8>
    Containers = {{{"fit", LOOPSCOPE_KIND_FIT},
                   {"validate", LOOPSCOPE_KIND_VALIDATE},
                   {"test", LOOPSCOPE_KIND_TEST},
                   {"predict", LOOPSCOPE_KIND_PREDICT},
                   {"epoch", LOOPSCOPE_KIND_EPOCH},
                   {"train", LOOPSCOPE_KIND_TRAIN},
                   {"valid", LOOPSCOPE_KIND_VALID},
                   {"batch", LOOPSCOPE_KIND_BATCH}}};

EventUse pyTorchUse(std::string_view Name) {
  if ((Name.starts_with("enumerate(DataLoader)#") &&
       Name.ends_with(".__next__")) ||
      Name.starts_with("enumerate(DataPipe)#"))
    return EventUse::Load;
  if (Name.starts_with("Optimizer."))
    return EventUse::Optimize;
  if (Name.starts_with("c10d::"))
    return EventUse::AsksForExchange;
  return isExchange(siteUse(Name)) ? EventUse::Exchange : EventUse::None;
}

loopscope_kind containerKind(std::string_view Name) {
  for (const auto &[Known, Kind] : Containers)
    if (Known == Name)
      return Kind;
  return Name.starts_with("step ") ? LOOPSCOPE_KIND_STEP : LOOPSCOPE_KIND_PHASE;
}

// What a name says of the events that have it.
struct Meaning {
  uint32_t Name = 0; ///< without what spells the rest
  EventUse Use = EventUse::None;
  /// Of annotations; of those that only exports have, and of others.
  loopscope_kind Kind = LOOPSCOPE_KIND_PHASE;
  bool IsAnnotation = false; ///< of others, it means nothing
};

class Namer {
public:
  explicit Namer(EventStream &To) : To(To) {
    auto Count = static_cast<uint32_t>(To.Strings.size());
    for (uint32_t I = 0; I < Count; ++I)
      IsExport |= To.Strings[I] == Draw;
    for (uint32_t I = 0; I < Count; ++I)
      Known.push_back(meaningOf(I));
    CallUses.resize(Count);
  }

  void name(TraceEvent &Event) {
    if (Event.Kind == TraceKind::Step) {
      Event.StandsFor = LOOPSCOPE_KIND_STEP;
      return;
    }
    if (Event.Kind == TraceKind::Runtime)
      Event.Use = callUseOf(Event.Name);
    if (!isMarkedCall(Event.Kind))
      return;
    const Meaning &Of = Known[Event.Name];
    bool IsAnnotation = Event.Kind == TraceKind::Annotation;
    if (Of.IsAnnotation && !IsAnnotation) {
      if (IsExport && Event.Kind == TraceKind::Operator)
        Event.StandsFor = LOOPSCOPE_KIND_PHASE;
      return;
    }
    Event.Use = Of.Use;
    Event.Name = Of.Name;
    bool IsPhase =
        Event.Kind == TraceKind::Operator &&
        (IsExport || Of.Use == EventUse::Load || Of.Use == EventUse::Optimize);
    if (IsAnnotation)
      Event.StandsFor = Of.Kind;
    else if (IsPhase)
      Event.StandsFor = LOOPSCOPE_KIND_PHASE;
  }

  bool IsExport = false;

private:
  Meaning meaningOf(uint32_t Id) {
    std::string_view Name = To.Strings[Id];
    for (const Prefix &Each : Prefixes)
      if (Name.starts_with(Each.Text))
        return {To.Strings.intern(Name.substr(Each.Text.size())), Each.Use,
                Each.Kind, true};
    if (Name == Draw)
      return {To.Strings.intern(DrawName), EventUse::Load, LOOPSCOPE_KIND_DRAW,
              true};
    return {Id, pyTorchUse(Name),
            IsExport ? containerKind(Name) : LOOPSCOPE_KIND_PHASE, false};
  }

  EventUse callUseOf(uint32_t Name) {
    std::optional<EventUse> &Use = CallUses[Name];
    if (!Use)
      Use = callUse(To.Strings[Name]);
    return *Use;
  }

  EventStream &To;
  std::vector<Meaning> Known;                    // by name
  std::vector<std::optional<EventUse>> CallUses; // of CUDA calls, likewise
};
} // namespace

bool loopscope::readNames(EventStream &Of) {
  Namer By(Of);
  for (TraceEvent &Event : Of.Events)
    By.name(Event);
  markExchanges(Of);
  Of.ThreadsAreApart = By.IsExport;
  return By.IsExport;
}

std::string loopscope::exportedName(const EventStream &Of,
                                    const TraceEvent &Event) {
  std::string_view Name = Of.name(Event);
  if (Event.Kind == TraceKind::Step)
    return fmt::format("{}{}", StepPrefix, stepNumber(Name));
  if (Event.StandsFor == LOOPSCOPE_KIND_DRAW)
    return std::string(Draw);
  for (const Prefix &Each : Prefixes)
    if (Event.Kind == TraceKind::Annotation && Event.Use == Each.Use &&
        Event.StandsFor == Each.Kind)
      return fmt::format("{}{}", Each.Text, Name);
  return std::string(Name);
}
