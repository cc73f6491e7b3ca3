// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subscription to CUPTI's callbacks.

#include "subscription.h"

using namespace loopscope::runtime;

namespace {
// Classifies all calls by their names, and disables callbacks for those of no
// interest.
void classifyCalls(GpuSession &S) {
  static constexpr uint32_t Domains[] = {cupti::Driver, cupti::Runtime};
  for (uint32_t Domain : Domains)
    for (uint32_t Id = 0; Id < GpuSession::MaxCalls; ++Id) {
      CallClass &Class = S.Classes[Domain - 1][Id];
      Class = CallClass::Other;
      const char *Name = nullptr;
      if (S.Api.GetCallbackName(Domain, Id, &Name) != cupti::Success ||
          Name == nullptr)
        continue;
      Class = classifyCall(Name);
      S.Records[Domain - 1][Id] = recordsOfCall(Class, Name);
      S.Borders[Domain - 1][Id] = borderOfCall(Name);
      // The timeline shows the calls that the program made.
      bool IsTwice = Domain == cupti::Runtime && isOneDriverCall(Name);
      if (Class == CallClass::Ignored || (IsTwice && S.Ring == nullptr))
        S.Api.EnableCallback(0, S.Subscription, Domain, Id);
    }
}

// Without these, graph nodes have no place of their own, captured launches seem
// to owe records, a device reset frees nothing, and unloaded names go
// unnoticed.
void followResources(GpuSession &S) {
  auto Follow = [&](cupti::ResourceEvent Event) {
    S.Api.EnableCallback(1, S.Subscription, cupti::Resources, Event);
  };
  Follow(cupti::ModuleUnloads);
  Follow(cupti::ContextEnds);
  if (S.Api.GetGraphNodeId != nullptr) {
    Follow(cupti::GraphNodeCreated);
    Follow(cupti::GraphNodeCloned);
  }
}

constexpr uint32_t FirstOfSeveral = 130300; // CUPTI with several tools

cupti::Result subscribeV2(GpuSession &S, char *Holder, size_t HolderSize,
                          bool AmongSeveral) {
  cupti::SubscriberParameters Parameters = {};
  Parameters.StructSize =
      AmongSeveral ? sizeof(Parameters) : cupti::SubscriberParametersOf130;
  Parameters.Name = "Loopscope";
  Parameters.OldName = Holder;
  Parameters.OldNameSize = HolderSize;
  Parameters.AllowSeveral = AmongSeveral ? 1 : 0;
  cupti::Result Code =
      S.Api.SubscribeV2(&S.Subscription, onCudaCall, nullptr, &Parameters);
  if (Code == cupti::Success)
    S.Recording.use(S.Api, AmongSeveral ? S.Subscription : nullptr);
  return Code;
}

bool subscribeOnly(GpuSession &S, Reason &Why) {
  char Holder[128] = "";
  cupti::Result Code = cupti::MultipleSubscribers;
  const char *Function = "cuptiSubscribe";
  S.Recording.use(S.Api, nullptr);
  if (S.Api.SubscribeV2 != nullptr) {
    Function = "cuptiSubscribe_v2";
    if (S.Api.Version >= FirstOfSeveral && S.Api.Shared.Enable != nullptr)
      Code = subscribeV2(S, Holder, sizeof(Holder), true);
    if (Code == cupti::MultipleSubscribers)
      Code = subscribeV2(S, Holder, sizeof(Holder), false);
  } else {
    Code = S.Api.Subscribe(&S.Subscription, onCudaCall, nullptr);
  }
  if (Code == cupti::Success)
    return true;
  explain(S.Api, Function, Code, Holder, Why);
  return false;
}
} // namespace

bool loopscope::runtime::subscribe(GpuSession &S, Reason &Why) {
  if (!subscribeOnly(S, Why))
    return false;
  cupti::Result Code = cupti::Success;
  static constexpr uint32_t Domains[] = {cupti::Runtime, cupti::Driver};
  for (uint32_t Domain : Domains)
    if (Code == cupti::Success)
      Code = S.Api.EnableDomain(1, S.Subscription, Domain);
  if (Code != cupti::Success) {
    explain(S.Api, "cuptiEnableDomain", Code, "", Why);
    S.Api.Unsubscribe(S.Subscription);
    return false;
  }
  // Early versions of CUPTI 12 lack this domain.
  S.Api.EnableDomain(1, S.Subscription, cupti::State);
  classifyCalls(S);
  followResources(S);
  return true;
}

bool loopscope::runtime::mayEndInherited(const GpuSession &S) {
  return S.Api.Finalize != nullptr && S.Api.Version < FirstOfSeveral;
}

void loopscope::runtime::endInherited(const GpuSession &S) {
  S.Api.Unsubscribe(S.Subscription);
  S.Api.Finalize();
}
