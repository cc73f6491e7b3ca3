// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the keys of a described profile.

#include "KeyDescription.h"

#include <charconv>
#include <cstdint>

void KeyDescription::set(uint32_t Index, loopscope_profile_node &Node,
                         const std::string &Text) {
  loopscope_node_key K{};
  K.node = Index;
  size_t Colon = Text.find(':');
  Texts Of{Text.substr(0, Colon), ""};
  std::string Value = Text.substr(Colon + 1);
  int64_t Number = 0;
  const char *End = Value.data() + Value.size();
  if (Value.rfind("..", 0) == 0) {
    K.type = Value.size() == 2 ? LOOPSCOPE_KEY_OTHER : LOOPSCOPE_KEY_RANGE;
    K.value = std::strtoull(Value.c_str() + 2, nullptr, 10);
  } else if (const char *Behind =
                 std::from_chars(Value.data(), End, Number).ptr;
             Behind != Value.data() && (Behind == End || *Behind == '=')) {
    K.type = LOOPSCOPE_KEY_SIGNED;
    K.value = static_cast<uint64_t>(Number);
    if (Behind != End)
      Of.Text = std::string(Behind + 1, End);
  } else {
    K.type = LOOPSCOPE_KEY_TEXT;
    Of.Text = Value;
  }
  Node.flags |= static_cast<uint16_t>(K.type << LOOPSCOPE_NODE_KEY_SHIFT);
  if (constexpr std::string_view Type = "type="; Value.starts_with(Type)) {
    K.type = LOOPSCOPE_KEY_TYPE_NAME;
    Of.Text = Value.substr(Type.size());
  }
  Records.push_back(K);
  TextsOf.push_back(std::move(Of));
}

bool KeyDescription::read(const std::string &Word, std::istringstream &Words,
                          const DescriptionContext &C) {
  if (Word != "nodekey")
    return false;
  std::string Node, Type, Value;
  Words >> Node >> Type >> Value;
  loopscope_node_key K{};
  K.node = C.Node(Node);
  K.type = static_cast<uint32_t>(C.Number(Type));
  K.value = C.Number(Value);
  Records.push_back(K);
  TextsOf.push_back({"label", ""});
  return true;
}

void KeyDescription::place(
    const std::function<loopscope_profile_string(const std::string &)> &To) {
  for (size_t I = 0; I < Records.size(); ++I) {
    Records[I].label = To(TextsOf[I].Label);
    Records[I].text = To(TextsOf[I].Text);
  }
}

void KeyDescription::write(const AppendChunk &Append) const {
  if (!Records.empty())
    Append(LOOPSCOPE_CHUNK_NODE_KEYS, Records.data(), Records.size(),
           sizeof(Records[0]));
}
