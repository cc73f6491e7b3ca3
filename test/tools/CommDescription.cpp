// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a described profile's instances of collectives.

#include "CommDescription.h"

#include <vector>

static void readPhases(const std::string &List, loopscope_collective &To,
                       const DescriptionContext &C) {
  To.phase_count = 0;
  std::istringstream Items(List);
  for (std::string Item; std::getline(Items, Item, ',');) {
    size_t Colon = Item.find(':');
    if (Colon == std::string::npos ||
        To.phase_count == LOOPSCOPE_COLLECTIVE_PHASES)
      C.Die("phases are at most six NODE:DURATION");
    To.phase_node[To.phase_count] = C.Node(Item.substr(0, Colon));
    To.phase_ticks[To.phase_count++] =
        static_cast<float>(C.Duration(Item.substr(Colon + 1)));
  }
}

static void readStepPhases(const std::string &List, loopscope_own_step &To,
                           const DescriptionContext &C) {
  std::istringstream Items(List);
  for (std::string Item; std::getline(Items, Item, ',');) {
    std::vector<std::string> Parts;
    std::istringstream Words(Item);
    for (std::string Part; std::getline(Words, Part, ':');)
      Parts.push_back(Part);
    if ((Parts.size() != 3 && Parts.size() != 5) ||
        To.phase_count == LOOPSCOPE_COLLECTIVE_PHASES)
      C.Die("phases are at most six NODE:DURATION:CRITICAL[:MET:NODE]");
    uint32_t At = To.phase_count++;
    auto Ticks = [&](size_t Part) {
      return static_cast<float>(C.Duration(Parts[Part]));
    };
    To.phase_node[At] = C.Node(Parts[0]);
    To.phase_ticks[At] = Ticks(1);
    To.critical_ticks[At] = Ticks(2);
    To.met_ticks[At] = Parts.size() == 5 ? Ticks(3) : 0;
    To.met_node[At] = Parts.size() == 5 ? C.Node(Parts[4]) : LOOPSCOPE_NONE;
  }
}

static loopscope_own_step readOwnStep(std::istringstream &Words,
                                      const DescriptionContext &C) {
  loopscope_own_step Next{};
  std::string Text;
  Words >> Text;
  Next.node = C.Node(Text);
  Next.steps = 1;
  while (Words >> Text) {
    size_t Equals = Text.find('=');
    std::string Key = Text.substr(0, Equals);
    std::string Value = Text.substr(Equals + 1);
    if (Key == "step")
      Next.step = C.Number(Value);
    else if (Key == "steps")
      Next.steps = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "took")
      Next.ticks = C.Duration(Value);
    else if (Key == "own")
      Next.own_ticks = C.Duration(Value);
    else if (Key == "phases")
      readStepPhases(Value, Next, C);
    else
      C.Die("unknown key " + Key);
  }
  return Next;
}

bool CommDescription::read(const std::string &Word, std::istringstream &Words,
                           const DescriptionContext &C) {
  std::string Text;
  if (Word == "peer") {
    std::string Role;
    loopscope_peer Next{};
    Words >> Text >> Role >> Next.peer >> Next.calls >> Next.bytes;
    Next.node = C.Node(Text);
    Next.role = Role == "to"     ? LOOPSCOPE_PEER_TO
                : Role == "from" ? LOOPSCOPE_PEER_FROM
                                 : LOOPSCOPE_PEER_ROOT;
    Peers.push_back(Next);
    return true;
  }
  if (Word == "own") {
    OwnSteps.push_back(readOwnStep(Words, C));
    OwnSteps.back().sequence = OwnSteps.size();
    return true;
  }
  if (Word != "collective")
    return false;
  Words >> Text;
  loopscope_collective Next{};
  Next.node = C.Node(Text);
  Next.number = Numbers[Next.node];
  Next.phase_count = LOOPSCOPE_NONE;
  while (Words >> Text) {
    size_t Equals = Text.find('=');
    std::string Key = Text.substr(0, Equals);
    std::string Value = Text.substr(Equals + 1);
    if (Key == "at")
      Next.enter_ticks = C.StartTicks + C.Duration(Value);
    else if (Key == "took")
      Next.ticks = C.Duration(Value);
    else if (Key == "work")
      Next.work_ticks = C.Duration(Value);
    else if (Key == "number")
      Next.number = C.Number(Value);
    else if (Key == "step")
      Next.step = C.Number(Value);
    else if (Key == "bytes")
      Next.bytes = C.Number(Value);
    else if (Key == "operations")
      Next.operations = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "ranks")
      Next.ranks = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "rank")
      Next.rank = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "phases")
      readPhases(Value, Next, C);
    else
      C.Die("unknown key " + Key);
  }
  Numbers[Next.node] = Next.number + 1;
  Next.sequence = Instances.size() + 1;
  Instances.push_back(Next);
  return true;
}

void CommDescription::write(const AppendChunk &Append) const {
  if (!Instances.empty())
    Append(LOOPSCOPE_CHUNK_COLLECTIVES, Instances.data(), Instances.size(),
           sizeof(Instances[0]));
  if (!OwnSteps.empty())
    Append(LOOPSCOPE_CHUNK_OWN_STEPS, OwnSteps.data(), OwnSteps.size(),
           sizeof(OwnSteps[0]));
  if (!Peers.empty())
    Append(LOOPSCOPE_CHUNK_PEERS, Peers.data(), Peers.size(), sizeof(Peers[0]));
}
