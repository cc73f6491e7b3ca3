// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs a copy of a profile (profile_copy.h) against another rank's. Ranks run
// one program, so nearly all bytes of the copies are equal or zero; packed, a
// rank takes a few kilobytes. Pure functions, for the runtime, which packs, and
// for the report, which unpacks.
//
//   copy -> pages of its header, then its chunks: each a piece
//   piece -> its size in pages, its type, then its 64-bit words, each combined
//            by XOR with the word at the same place of the base's piece of that
//            type and ordinal:
//              a byte whose bits say which of the word's bytes aren't 0, and
//              those bytes; or 0, and how many words are 0 (LEB128)
//
// Not for programs.

#ifndef LOOPSCOPE_PROFILE_PACK_H
#define LOOPSCOPE_PROFILE_PACK_H

#include <loopscope/profile_format.h>

#include <string.h>

namespace loopscope::profile_pack {

/// A copy of a profile, or a part of one.
struct Bytes {
  const char *At = nullptr;
  uint64_t Size = 0;
};

inline constexpr uint64_t Page = LOOPSCOPE_PROFILE_PAGE;
inline constexpr uint64_t WordSize = sizeof(uint64_t);
/// Bytes of a piece before its words: pages and type.
inline constexpr uint64_t PieceHead = 2 * sizeof(uint32_t);

/// The type of the piece at OFFSET of a profile, and its size; 0: there is
/// none. The header's type is 0.
struct Piece {
  uint32_t Type = 0;
  uint64_t Size = 0;
};
inline Piece pieceAt(const Bytes &Of, uint64_t Offset) {
  if (Offset == 0)
    return {0, Of.Size < Page ? 0 : Page};
  loopscope_chunk_header Head;
  if (Offset > Of.Size || Of.Size - Offset < sizeof(Head))
    return {};
  memcpy(&Head, Of.At + Offset, sizeof(Head));
  if (Head.magic != LOOPSCOPE_CHUNK_MAGIC || Head.size == 0 ||
      Head.size % Page != 0 || Head.size > Of.Size - Offset)
    return {};
  return {Head.type, Head.size};
}

/// The pieces of the base, found in the order in which a copy asks for them.
class Base {
public:
  explicit Base(const Bytes &Whole) : Whole(Whole) {}
  /// The next piece of TYPE; empty if there is none.
  Bytes next(uint32_t Type) {
    uint64_t &From = Type < Types ? Seen[Type] : None;
    if (Type >= Types)
      return {};
    for (uint64_t At = From;;) {
      Piece Found = pieceAt(Whole, At);
      if (Found.Size == 0) {
        From = At;
        return {};
      }
      At += Found.Size;
      if (Found.Type != Type)
        continue;
      From = At;
      return {Whole.At + At - Found.Size, Found.Size};
    }
  }

private:
  static constexpr uint32_t Types = 64;
  Bytes Whole;
  uint64_t Seen[Types] = {}; // where to look for the next of each type
  uint64_t None = 0;
};

/// A word of a piece; what is missing is 0.
inline uint64_t wordAt(const Bytes &Of, uint64_t Offset) {
  uint64_t Word = 0;
  if (Offset + WordSize <= Of.Size)
    memcpy(&Word, Of.At + Offset, WordSize);
  return Word;
}

/// The most that packing a copy of SIZE bytes can take.
constexpr uint64_t mostPacked(uint64_t Size) {
  return Size + Size / WordSize + Size / Page * PieceHead;
}

/// Packs COPY, whose chunks are sound, to TO, which has mostPacked() bytes.
/// Returns how many it wrote.
inline uint64_t pack(const Bytes &Copy, const Bytes &Against, char *To) {
  Base Pieces(Against);
  char *Next = To;
  for (uint64_t At = 0; At < Copy.Size;) {
    Piece Of = pieceAt(Copy, At);
    if (Of.Size == 0)
      break;
    Bytes Other = Pieces.next(Of.Type);
    const uint32_t Head[] = {static_cast<uint32_t>(Of.Size / Page), Of.Type};
    memcpy(Next, Head, PieceHead);
    Next += PieceHead;
    Bytes Own{Copy.At + At, Of.Size};
    for (uint64_t W = 0; W < Of.Size;) {
      uint64_t Word = wordAt(Own, W) ^ wordAt(Other, W);
      W += WordSize;
      if (Word != 0) {
        char *Mask = Next++;
        unsigned Bits = 0;
        for (unsigned B = 0; B < WordSize; ++B)
          if (auto Byte = static_cast<char>(Word >> (8 * B)); Byte != 0) {
            Bits |= 1U << B;
            *Next++ = Byte;
          }
        *Mask = static_cast<char>(Bits);
        continue;
      }
      uint64_t Run = 1;
      for (; W < Of.Size && wordAt(Own, W) == wordAt(Other, W); W += WordSize)
        ++Run;
      *Next++ = 0;
      for (; Run >= 0x80; Run >>= 7)
        *Next++ = static_cast<char>(Run | 0x80);
      *Next++ = static_cast<char>(Run);
    }
    At += Of.Size;
  }
  return static_cast<uint64_t>(Next - To);
}

/// Reads packed bytes. After an end that comes too soon, all is 0 and failed()
/// is true.
class Packed {
public:
  explicit Packed(const Bytes &From) : From(From) {}
  bool failed() const { return HasFailed; }
  uint8_t byte() {
    HasFailed |= Used >= From.Size;
    return HasFailed ? 0 : static_cast<uint8_t>(From.At[Used++]);
  }
  uint32_t number() {
    uint32_t Value = 0;
    for (unsigned B = 0; B < sizeof(Value); ++B)
      Value |= uint32_t(byte()) << (8 * B);
    return Value;
  }
  uint64_t run() {
    uint64_t Value = 0;
    for (unsigned Shift = 0; Shift < 56; Shift += 7) {
      uint8_t Next = byte();
      Value |= uint64_t(Next & 0x7F) << Shift;
      if (Next < 0x80)
        return Value;
    }
    HasFailed = true;
    return 0;
  }
  uint64_t word(uint8_t Mask) {
    uint64_t Value = 0;
    for (unsigned B = 0; B < WordSize; ++B)
      if ((Mask >> B & 1) != 0)
        Value |= uint64_t(byte()) << (8 * B);
    return Value;
  }

private:
  Bytes From;
  uint64_t Used = 0;
  bool HasFailed = false;
};

/// Unpacks FROM to TO, SIZE bytes: a whole copy, or the first pages of one.
/// Trusts nothing. False: it isn't a packed copy of at least that size.
inline bool unpack(const Bytes &From, const Bytes &Against, char *To,
                   uint64_t Size) {
  Base Pieces(Against);
  Packed Next(From);
  for (uint64_t At = 0; At < Size;) {
    uint64_t PieceSize = Next.number() * Page;
    Bytes Other = Pieces.next(Next.number());
    if (Next.failed() || PieceSize == 0 || PieceSize > Size - At)
      return false;
    uint64_t Zeros = 0;
    for (uint64_t W = 0; W < PieceSize; W += WordSize) {
      uint64_t Word = wordAt(Other, W);
      if (Zeros != 0) {
        --Zeros;
      } else if (uint8_t Mask = Next.byte(); Mask != 0) {
        Word ^= Next.word(Mask);
      } else {
        Zeros = Next.run() - 1;
      }
      if (Next.failed() || Zeros > PieceSize / WordSize)
        return false;
      memcpy(To + At + W, &Word, WordSize);
    }
    if (Zeros != 0)
      return false;
    At += PieceSize;
  }
  return true;
}

} // namespace loopscope::profile_pack

#endif // LOOPSCOPE_PROFILE_PACK_H
