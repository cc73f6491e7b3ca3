// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every number of a key.

#include "Run/Read/KeysReader.h"

#include "Run/Model/Stages.h"
#include "Support/Printable.h"
#include "Support/TypeNames.h"

#include <loopscope/key_rows.h>

#include <map>
#include <set>
#include <string>
#include <utility>

using namespace loopscope;

namespace {
// The kinds whose spans may have a key.
bool mayHaveKey(const Node &N) {
  return N.Site != None &&
         (N.Kind == LOOPSCOPE_KIND_PHASE || N.Kind == LOOPSCOPE_KIND_WAIT ||
          N.Kind == LOOPSCOPE_KIND_EPOCH || isStage(N.Kind));
}

bool isSound(const loopscope_node_key &K) {
  return K.type > LOOPSCOPE_KEY_NONE && K.type <= LOOPSCOPE_KEY_TYPE_NAME &&
         (K.type != LOOPSCOPE_KEY_RANGE || K.value <= keys::ZeroRange);
}

SpanKey keyOf(const loopscope_node_key &K, ProfileBytes &Records) {
  SpanKey Result;
  Result.Label = Records.text(K.label);
  Result.Type = static_cast<loopscope_key_type>(K.type);
  // Readers of the model know no types.
  if (K.type == LOOPSCOPE_KEY_TYPE_NAME) {
    Result.Type = LOOPSCOPE_KEY_TEXT;
    Result.Text = printable(demangledType(Records.text(K.text)));
    return Result;
  }
  // What two records of one key might differ in, and nobody shows.
  bool IsText = K.type == LOOPSCOPE_KEY_TEXT || K.type == LOOPSCOPE_KEY_OTHER;
  bool IsBool = K.type == LOOPSCOPE_KEY_BOOL;
  Result.Value = IsText ? 0 : IsBool ? K.value != 0 : K.value;
  bool MayHaveText = K.type <= LOOPSCOPE_KEY_TEXT;
  if (MayHaveText && K.text.length != 0)
    Result.Text = Records.text(K.text);
  return Result;
}

// How many exact keys a profile has, of which nodes.
class ExactKeys {
public:
  void add(const loopscope_profile_node &N, const SpanKey &K) {
    ++OfTree[N.thread];
    ++OfPath[{N.parent, N.site}];
    if (K.Type == LOOPSCOPE_KEY_TEXT)
      Texts.insert(K.Text);
  }

  /// Whether the keys of the range N would share it with any keys=.
  bool areAtMost(const NodeRecord &N, const SpanKey &Range) const {
    auto CountIn = [](const auto &Counts, const auto &Of) {
      auto Found = Counts.find(Of);
      return Found == Counts.end() ? 0 : Found->second;
    };
    return N.Index >= keys::MostNodes ||
           CountIn(OfTree, N.Node.thread) >= keys::MostOfTree ||
           CountIn(OfPath, std::pair(N.Node.parent, N.Node.site)) >=
               keys::MostOfPath ||
           (Range.Type == LOOPSCOPE_KEY_OTHER &&
            Texts.size() >= keys::MostTexts);
  }

private:
  std::map<uint32_t, uint32_t> OfTree;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> OfPath; // parent, site
  std::set<std::string> Texts;
};
} // namespace

void loopscope::readKeys(ProfileBytes &Records,
                         const std::vector<NodeRecord> &Nodes,
                         const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                         Run &Into) {
  std::unordered_map<uint32_t, loopscope_node_key> RecordOf;
  for (const auto &Record : Records.nodeKeys())
    if (!isSound(Record.Value) ||
        !RecordOf.try_emplace(Record.Value.node, Record.Value).second)
      ++Into.Lost.BadRecords;
  std::map<SpanKey, uint32_t> Known;
  ExactKeys Exact;
  std::vector<std::pair<const NodeRecord *, uint32_t>> Ranges; // with a node
  for (const NodeRecord &Record : Nodes) {
    auto Found = NodeOf.find(Record.Index);
    if (Record.Node.flags >> LOOPSCOPE_NODE_KEY_SHIFT == 0 ||
        Found == NodeOf.end() || !mayHaveKey(Into.Nodes[Found->second]))
      continue;
    Node &N = Into.Nodes[Found->second];
    SpanKey Key;
    if (auto Told = RecordOf.find(Record.Index); Told != RecordOf.end()) {
      Key = keyOf(Told->second, Records);
      RecordOf.erase(Told);
    }
    auto [Place, IsNew] =
        Known.try_emplace(Key, static_cast<uint32_t>(Into.Keys.size()));
    if (IsNew)
      Into.Keys.push_back(Key);
    N.Key = Place->second;
    if (Key.isRange())
      Ranges.emplace_back(&Record, Found->second);
    else
      Exact.add(Record.Node, Key);
  }
  for (auto [Record, Index] : Ranges) {
    const Node &N = Into.Nodes[Index];
    (Exact.areAtMost(*Record, Into.Keys[N.Key]) ? Into.Lost.KeysOverLimit
                                                : Into.Lost.KeysInRanges) +=
        N.Spans.count();
  }
  Into.Lost.BadRecords += RecordOf.size();
}
