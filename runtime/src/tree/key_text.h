// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text that is a key, and whether another one is the same: the expected
// child's is compared at every enter.

#ifndef LOOPSCOPE_TREE_KEY_TEXT_H
#define LOOPSCOPE_TREE_KEY_TEXT_H

#include <loopscope/profile_format.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace loopscope::runtime {

/// The length of a text that ends with a NUL.
constexpr size_t UntilNul = SIZE_MAX;

/// A text that some node has as its key, or a label. Lives as long as the
/// process.
struct KeyText {
  uint64_t Hash; ///< equal hashes count as equality
  loopscope_profile_string Stored;
  size_t Length;
  uint64_t First;    ///< its first 8 bytes, or all of them and zeros
  uint64_t Mask;     ///< for the bytes of First up to the first NUL
  uint64_t HalfMask; ///< Mask / 2
  bool HasNul;       ///< among its bytes
  bool IsShort;      ///< at most 7 bytes, without a NUL

  /// Readable bytes behind the text, all 0.
  static constexpr size_t Behind = 8;

  /// Length bytes, and those Behind; they follow this.
  const char *bytes() const { return reinterpret_cast<const char *>(this + 1); }
};

template <typename Word> inline bool differ(const char *A, const char *B) {
  Word Of[2];
  __builtin_memcpy(&Of[0], A, sizeof(Word));
  __builtin_memcpy(&Of[1], B, sizeof(Word));
  return Of[0] != Of[1];
}

/// Of at most 16 bytes. By two words, which may overlap.
inline bool areShortEqual(const char *A, const char *B, size_t Length) {
  if (Length >= 8)
    return !differ<uint64_t>(A, B) &&
           !differ<uint64_t>(A + Length - 8, B + Length - 8);
  if (Length >= 4)
    return !differ<uint32_t>(A, B) &&
           !differ<uint32_t>(A + Length - 4, B + Length - 4);
  return Length == 0 || (A[0] == B[0] && A[Length / 2] == B[Length / 2] &&
                         A[Length - 1] == B[Length - 1]);
}

inline bool areEqual(const char *A, const char *B, size_t Length) {
  for (; Length > 16; Length -= 8, A += 8, B += 8)
    if (differ<uint64_t>(A, B))
      return false;
  return areShortEqual(A, B, Length);
}

inline uint64_t wordAt(const char *At) {
  uint64_t Word;
  __builtin_memcpy(&Word, At, sizeof(Word));
  return Word;
}

// Texts that end with a NUL are read in aligned words, none of which begins
// behind the end: they are on the text's page, and checkers of memory accept
// them. The shifts below count modulo 64, as shift instructions do.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOOPSCOPE_IS_CHECKED_
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LOOPSCOPE_IS_CHECKED_
#endif
#ifdef LOOPSCOPE_IS_CHECKED_
#define LOOPSCOPE_READS_WORDS_ inline __attribute__((no_sanitize("address")))
#else
#define LOOPSCOPE_READS_WORDS_ inline __attribute__((always_inline))
#endif
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

/// Whether TEXT, which ends with a NUL, is KNOWN, of at most 7 bytes. False of
/// a longer one. In few registers: a hook that must save some takes longer.
LOOPSCOPE_READS_WORDS_ bool isShortText(const KeyText &Known,
                                        const char *Text) {
  auto Address = reinterpret_cast<uintptr_t>(Text);
  const char *Word = Text - Address % 8;
  uint64_t Bits = Address * 8 % 64; // of the word that are before the text
  // Both words have their bytes at the same places as this.
  uint64_t First = Known.First << Bits | Known.First >> (0 - Bits) % 64;
  if (((wordAt(Word) ^ First) >> Bits & Known.Mask) != 0)
    return false;
  uint64_t Rest = Known.HalfMask >> ~Bits % 64; // in the next word
  if (Rest != 0 && ((wordAt(Word + 8) ^ First) & Rest) != 0)
    return false;
  return Known.IsShort;
}

/// The same of any length.
LOOPSCOPE_READS_WORDS_ bool isTextUntilNul(const KeyText &Known,
                                           const char *Text) {
  if (Known.HasNul)
    return false;
  size_t Before = reinterpret_cast<uintptr_t>(Text) % 8;
  const char *Bytes = Known.bytes() - Before; // in KeyText, if before them
  Text -= Before;
  size_t Left = Before + Known.Length + 1;
  uint64_t Differ = wordAt(Text) ^ wordAt(Bytes);
  Differ = Differ >> Before * 8 << Before * 8;
  for (; Left > 8; Left -= 8) {
    if (Differ != 0)
      return false;
    Differ = wordAt(Text += 8) ^ wordAt(Bytes += 8);
  }
  return Differ << (0 - Left * 8) % 64 == 0;
}

/// Whether TEXT, of LENGTH bytes, is KNOWN, of at most 16. False of a longer
/// one.
inline __attribute__((always_inline)) bool
isShortText(const KeyText &Known, const char *Text, size_t Length) {
  return Length == Known.Length && Length <= 16 &&
         areShortEqual(Text, Known.bytes(), Length);
}

/// Whether KNOWN is this text, of LENGTH bytes or UntilNul.
inline bool isText(const KeyText &Known, const char *Text, size_t Length) {
  if (Length == UntilNul)
    return isTextUntilNul(Known, Text);
  return Length == Known.Length && areEqual(Text, Known.bytes(), Length);
}

/// Makes NEW, which LENGTH + KeyText::Behind bytes of its own follow, this
/// text. Leaves Hash and Stored alone.
inline void setText(KeyText &New, const char *Text, size_t Length) {
  auto *Bytes = reinterpret_cast<char *>(&New + 1);
  memcpy(Bytes, Text, Length);
  memset(Bytes + Length, 0, KeyText::Behind);
  New.Length = Length;
  New.First = wordAt(Bytes);
  size_t Compared = strnlen(Bytes, 7) + 1;
  New.Mask = UINT64_MAX >> (8 - Compared) * 8;
  New.HalfMask = New.Mask / 2;
  New.HasNul = strnlen(Bytes, Length) != Length;
  New.IsShort = Length < 8 && !New.HasNul;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_KEY_TEXT_H
