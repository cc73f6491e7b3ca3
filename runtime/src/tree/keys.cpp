// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keyed children: their table, their limits, and their texts.

#include "keys.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/probe.h"
#include "base/slow_lock.h"
#include "key_table.h"
#include "profile/counts.h"
#include "profile/profile_file.h"
#include "profile/sites.h"
#include "tree.h"

#include <loopscope/key_rows.h>
#include <loopscope/profile_counters.h>

#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr size_t LongestText = 200;
constexpr uint32_t KeysPerChunk = 84; // a page

//===--- Texts ------------------------------------------------------------===//

constexpr size_t TextTableSize = 32768; // a power of two
constexpr size_t MostLabels = TextTableSize / 8;
static_assert(loopscope::keys::MostTexts + MostLabels < TextTableSize);

// Call with the slow lock held.
struct KeyState {
  Chunk *Keys = nullptr; // the chunk that has room
  size_t TextCount = 0;
  size_t LabelCount = 0; // not among the texts
  KeyText *Texts[TextTableSize] = {};
  Arena<64 * size_t(1024)> Memory;
};
constinit KeyState State;
constinit uint32_t MostKeys = 256;

// Its address stands for all texts beyond the limit.
constinit KeyText OtherTexts = {};

struct Cut {
  const char *Text;
  size_t Length;
};

// At most LongestText bytes, without splitting a character.
Cut cutText(const Key &K) {
  size_t Length =
      K.Length == UntilNul ? strnlen(K.Text, LongestText + 1) : K.Length;
  if (Length <= LongestText)
    return {K.Text, Length};
  Length = LongestText;
  while (Length != 0 &&
         (static_cast<unsigned char>(K.Text[Length]) & 0xc0) == 0x80)
    --Length;
  return {K.Text, Length};
}

uint64_t hashOf(const Cut &Of) {
  return foldHash(addToHash(EmptyHash, Of.Text, Of.Length));
}

// The one copy of a text; null if out of memory, or if it is new and COUNT, of
// the texts that are used like it, is at MOST.
const KeyText *intern(const Cut &Of, size_t &Count, size_t Most) {
  SlowLock Lock;
  uint64_t Hash = hashOf(Of);
  KeyText *&Place =
      *probe(State.Texts, TextTableSize, Hash, [Hash](const KeyText *Each) {
        return Each == nullptr || Each->Hash == Hash;
      });
  if (Place != nullptr)
    return Place;
  if (Count == Most)
    return nullptr;
  auto *New = reinterpret_cast<KeyText *>(
      State.Memory.take(sizeof(KeyText) + Of.Length + KeyText::Behind));
  if (New == nullptr || addString(Of.Text, Of.Length, New->Stored) == nullptr)
    return nullptr;
  New->Hash = Hash;
  setText(*New, Of.Text, Of.Length);
  ++Count;
  Place = New;
  return New;
}

//===--- Values in the table ----------------------------------------------===//

// What a key that has no node of its own is part of.
uint64_t rangeOf(const Key &K) {
  return K.Type == LOOPSCOPE_KEY_TEXT
             ? loopscope::keys::ZeroRange
             : loopscope::keys::rangeOf(K.Type, K.Value);
}

bool isRange(const Node *N) {
  return keyTypeOf(N) == LOOPSCOPE_KEY_RANGE ||
         keyTypeOf(N) == LOOPSCOPE_KEY_OTHER;
}

// The value of an exact node in the table.
uint64_t tableValueOf(Node *N) {
  return keyTypeOf(N) == LOOPSCOPE_KEY_TEXT ? textOf(N).Hash : keyOf(N);
}

//===--- New nodes --------------------------------------------------------===//

// The decimal number at TEXT, which moves behind it.
uint64_t readNumber(const char *&Text) {
  bool IsNegative = *Text == '-';
  Text += IsNegative ? 1 : 0;
  uint64_t Number = 0;
  for (; *Text >= '0' && *Text <= '9'; ++Text)
    Number = Number * 10 + static_cast<uint64_t>(*Text - '0');
  return IsNegative ? 0 - Number : Number;
}

// LABEL begins with names of values, "0=A,1=B": moves behind them. Returns the
// name of VALUE, of length 0 if it has none.
Cut nameOf(uint64_t Value, const char *&Label) {
  constexpr char End = *__LOOPSCOPE_ENUM_LABEL;
  Cut Result = {Label, 0};
  const char *At = Label + 1;
  while (*At != End && *At != 0) {
    bool IsIt = readNumber(At) == Value;
    At += *At == '=' ? 1 : 0;
    const char *Name = At;
    while (*At != ',' && *At != End && *At != 0)
      ++At;
    if (IsIt && Result.Length == 0)
      Result = cutText({0, 0, Name, static_cast<size_t>(At - Name)});
    At += *At == ',' ? 1 : 0;
  }
  Label = At + (*At == End ? 1 : 0);
  return Result;
}

bool isNumber(uint32_t Type) {
  return Type >= LOOPSCOPE_KEY_SIGNED && Type <= LOOPSCOPE_KEY_CHAR;
}

// Writes the key of a node that isn't published yet. A label, or a value's
// name, that finds no room is left out.
bool describeKey(const Node *N, const KeyedSite *Site, uint32_t Type,
                 uint64_t Value, const KeyText *Text) {
  const char *Said = Site->__label == nullptr ? "" : Site->__label;
  if (*Said == *__LOOPSCOPE_TYPE_LABEL) {
    ++Said;
    if (Type == LOOPSCOPE_KEY_TEXT)
      Type = LOOPSCOPE_KEY_TYPE_NAME;
  } else if (*Said == *__LOOPSCOPE_ENUM_LABEL) {
    Cut Name = nameOf(Value, Said);
    if (isNumber(Type) && Name.Length != 0)
      Text = intern(Name, State.LabelCount, MostLabels);
  }
  const KeyText *Label =
      intern(cutText({0, 0, Said, UntilNul}), State.LabelCount, MostLabels);
  SlowLock Lock;
  Chunk *C = roomFor(State.Keys, LOOPSCOPE_CHUNK_NODE_KEYS, 1, KeysPerChunk,
                     sizeof(loopscope_node_key));
  if (C == nullptr)
    return false;
  auto *New = reinterpret_cast<loopscope_node_key *>(entries(C)) + C->used;
  New->node = N->index;
  New->type = Type;
  New->value = Value;
  if (Label != nullptr)
    New->label = Label->Stored;
  if (Text != nullptr)
    New->text = Text->Stored;
  publish(C, 1);
  return true;
}

// A family: the children of one parent for one place in the source.
struct Family {
  Thread *T;
  Node *Parent;
  const KeyedSite *Site;
  uint32_t SiteIndex;
};

Node *makeKeyed(const Family &In, uint32_t Type, uint64_t Value,
                const KeyText *Text, uint64_t Remembered) {
  Node *N = takeNode(In.T);
  if (N == nullptr)
    return nullptr;
  keyOf(N) = Remembered;
  if (!describeKey(N, In.Site, Type, Value, Text)) {
    count(LOOPSCOPE_COUNT_NODES_LOST);
    return nullptr;
  }
  auto Flags = static_cast<uint16_t>(Type << LOOPSCOPE_NODE_KEY_SHIFT);
  publishNode(In.T, N, In.Parent, In.SiteIndex, In.Site->__site.__kind, Flags,
              &In.Site->__site);
  return N;
}

Node *makeRange(const Family &In, const Key &K) {
  bool IsText = K.Type == LOOPSCOPE_KEY_TEXT;
  return makeKeyed(In, IsText ? LOOPSCOPE_KEY_OTHER : LOOPSCOPE_KEY_RANGE,
                   IsText ? 0 : rangeOf(K), nullptr,
                   IsText ? reinterpret_cast<uint64_t>(&OtherTexts) : K.Value);
}

static_assert(loopscope::keys::MostNodes == MaxNodes / 2);

// Whether the tree may have one more exact key, in a family that has COUNT.
bool hasRoom(Thread *T, uint32_t Count) {
  const KeyTable *Table = links(T).Keys;
  return Count < MostKeys &&
         (Table == nullptr || Table->Nodes < loopscope::keys::MostOfTree) &&
         T->reserve_index < loopscope::keys::MostNodes;
}

// Makes the family's exact keys known under its descriptor. False: not all.
bool rememberExact(const Family &In) {
  ThreadLinks &L = links(In.T);
  uintptr_t Site = addressOf(&In.Site->__site);
  return findAmong(In.Parent, [&](Node *Each) {
           return Each->site == In.SiteIndex && siteOf(Each) != nullptr &&
                  keyTypeOf(Each) != LOOPSCOPE_KEY_NONE && !isRange(Each) &&
                  !rememberKey(L, {In.Parent, Site, tableValueOf(Each)}, Each);
         }) == nullptr;
}

// Binds N to the descriptor that was used last; see findChild().
void bind(Node *N, const loopscope_site *Site) {
  links(N).Site =
      reinterpret_cast<const loopscope_site *>(addressOf(Site) | slowBitsOf(N));
}
} // namespace

Node *loopscope::runtime::recallKeyed(Thread *T, const loopscope_site *Site,
                                      const Key &K) {
  ThreadLinks &L = links(T);
  KeyTable *Table = __atomic_load_n(&L.Keys, __ATOMIC_ACQUIRE);
  if (Table == nullptr)
    return nullptr;
  auto Find = [&](uintptr_t Of, uint64_t Value) -> const KeyEntry & {
    return placeOf(*Table, {L.Current, Of, Value});
  };
  // The library of an entry may be gone, or another descriptor came later.
  auto IsValid = [&](Node *N) {
    return links(N).Parent == L.Current && siteOf(N) == Site;
  };
  uint64_t Value = K.Type == LOOPSCOPE_KEY_TEXT ? hashOf(cutText(K)) : K.Value;
  if (const KeyEntry &Exact = Find(addressOf(Site), Value);
      Exact.Parent != nullptr)
    return IsValid(Exact.N) && keyTypeOf(Exact.N) == K.Type ? Exact.N : nullptr;
  const KeyEntry &Range = Find(addressOf(Site) | RangeBit, rangeOf(K));
  if (Range.Parent == nullptr || !IsValid(Range.N))
    return nullptr;
  if (K.Type != LOOPSCOPE_KEY_TEXT)
    keyOf(Range.N) = K.Value; // the next one of the same is predicted
  return Range.N;
}

namespace {
// What a family has for a key. With Same, the others may be incomplete.
struct Siblings {
  Node *Same = nullptr;
  Node *Range = nullptr; // that the key belongs to
  uint32_t Count = 0;    // of exact keys
};

Siblings lookThrough(const Family &In, const Key &K) {
  bool IsText = K.Type == LOOPSCOPE_KEY_TEXT;
  Siblings Result;
  Result.Same = findAmong(In.Parent, [&](Node *Each) {
    uint32_t Type = keyTypeOf(Each);
    if (Each->site != In.SiteIndex || siteOf(Each) == nullptr ||
        Type == LOOPSCOPE_KEY_NONE)
      return false;
    if (isRange(Each)) {
      Key Last = {K.Type, keyOf(Each), nullptr, 0};
      bool IsOfTexts = Type == LOOPSCOPE_KEY_OTHER;
      if (IsOfTexts == IsText && (IsText || rangeOf(Last) == rangeOf(K)))
        Result.Range = Each;
      return false;
    }
    ++Result.Count;
    return Type == K.Type &&
           (IsText ? hasText(Each, K.Text, K.Length) : keyOf(Each) == K.Value);
  });
  return Result;
}

// The new node of an exact key. Null if there is no room for its text, or out
// of memory; IS_LOST then says that the latter was counted.
Node *makeExact(const Family &In, const Key &K, bool &IsLost) {
  bool IsText = K.Type == LOOPSCOPE_KEY_TEXT;
  const KeyText *Text = IsText ? intern({K.Text, K.Length}, State.TextCount,
                                        loopscope::keys::MostTexts)
                               : nullptr;
  if (IsText && Text == nullptr)
    return nullptr;
  Node *N =
      IsText ? makeKeyed(In, K.Type, 0, Text, reinterpret_cast<uint64_t>(Text))
             : makeKeyed(In, K.Type, K.Value, nullptr, K.Value);
  IsLost = N == nullptr;
  if (KeyTable *Table = N == nullptr ? nullptr : tableWithRoom(links(In.T)))
    ++Table->Nodes;
  return N;
}

// The family's node for K, in its table as well.
Node *findOrMake(const Family &In, const Key &K) {
  ThreadLinks &L = links(In.T);
  const loopscope_site *Site = &In.Site->__site;
  Siblings Known = lookThrough(In, K);
  Node *N = Known.Same;
  bool IsLost = false;
  if (N == nullptr && hasRoom(In.T, Known.Count))
    N = makeExact(In, K, IsLost);
  if (N != nullptr) {
    bind(N, Site);
    rememberKey(L, {In.Parent, addressOf(Site), tableValueOf(N)}, N);
    return N;
  }
  if (IsLost)
    return nullptr;
  N = Known.Range != nullptr ? Known.Range : makeRange(In, K);
  if (N == nullptr)
    return nullptr;
  bind(N, Site);
  if (K.Type != LOOPSCOPE_KEY_TEXT)
    keyOf(N) = K.Value;
  if (rememberExact(In))
    rememberKey(L, {In.Parent, addressOf(Site) | RangeBit, rangeOf(K)}, N);
  return N;
}
} // namespace

Node *loopscope::runtime::findKeyed(Thread *T, const KeyedSite *Site,
                                    const Key &K) {
  const loopscope_site *Plain = &Site->__site;
  Node *Parent = links(T).Current;
  if (isLost(T, Plain))
    return nullptr;
  if (Parent->depth >= MaxDepth) {
    count(LOOPSCOPE_COUNT_DEPTH_FOLDED);
    return nullptr;
  }
  uint32_t Index = siteIndex(Plain);
  if (Index == LOOPSCOPE_NONE) {
    count(LOOPSCOPE_COUNT_NODES_LOST);
    return nullptr;
  }
  Key Said = K;
  if (K.Type == LOOPSCOPE_KEY_TEXT) {
    Cut Text = cutText(K);
    Said = {K.Type, 0, Text.Text, Text.Length};
  }
  Node *N = findOrMake({T, Parent, Site, Index}, Said);
  if (N == nullptr)
    rememberLost(T, Parent, Plain);
  return N;
}

void loopscope::runtime::setMostKeys(uint32_t Most) { MostKeys = Most; }

void loopscope::runtime::resetKeys() {
  bool HadTexts = State.TextCount + State.LabelCount != 0;
  State.Keys = nullptr;
  State.TextCount = 0;
  State.LabelCount = 0;
  if (HadTexts)
    clearGlobal(static_cast<void *>(State.Texts), sizeof(State.Texts));
}
