// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of libc that only touch memory, for the runtime only; see names.h.
// Compiled without builtin knowledge of these functions, which would turn their
// loops into calls of themselves.

#include <stddef.h>
#include <stdint.h>

#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

namespace {
// An unaligned word.
struct __attribute__((packed, may_alias)) Word {
  uint64_t Bits;
};
constexpr size_t WordSize = sizeof(Word);

size_t lengthOf(const char *String, size_t Most) {
  size_t Length = 0;
  while (Length < Most && String[Length] != 0)
    ++Length;
  return Length;
}

int compare(const void *A, const void *B, size_t Size, bool UpToNul) {
  const auto *First = static_cast<const unsigned char *>(A);
  const auto *Second = static_cast<const unsigned char *>(B);
  for (size_t I = 0; I < Size; ++I) {
    if (First[I] != Second[I])
      return First[I] - Second[I];
    if (UpToNul && First[I] == 0)
      return 0;
  }
  return 0;
}
} // namespace

extern "C" {
void *loopscope_memcpy_(void *To, const void *From, size_t Size) {
  auto *Target = static_cast<char *>(To);
  const auto *Source = static_cast<const char *>(From);
  for (; Size >= WordSize; Size -= WordSize) {
    *reinterpret_cast<Word *>(Target) = *reinterpret_cast<const Word *>(Source);
    Target += WordSize;
    Source += WordSize;
  }
  while (Size-- != 0)
    *Target++ = *Source++;
  return To;
}

void *loopscope_memmove_(void *To, const void *From, size_t Size) {
  auto *Target = static_cast<char *>(To);
  const auto *Source = static_cast<const char *>(From);
  if (Target <= Source || Target >= Source + Size)
    return loopscope_memcpy_(To, From, Size);
  while (Size-- != 0)
    Target[Size] = Source[Size];
  return To;
}

void *loopscope_memset_(void *To, int Byte, size_t Size) {
  auto *Target = static_cast<char *>(To);
  Word Pattern = {0x0101010101010101U * static_cast<unsigned char>(Byte)};
  for (; Size >= WordSize; Size -= WordSize) {
    *reinterpret_cast<Word *>(Target) = Pattern;
    Target += WordSize;
  }
  while (Size-- != 0)
    *Target++ = static_cast<char>(Byte);
  return To;
}

int loopscope_memcmp_(const void *A, const void *B, size_t Size) {
  return compare(A, B, Size, false);
}

size_t loopscope_strlen_(const char *String) {
  return lengthOf(String, SIZE_MAX);
}

size_t loopscope_strnlen_(const char *String, size_t Most) {
  return lengthOf(String, Most);
}

int loopscope_strcmp_(const char *A, const char *B) {
  return compare(A, B, SIZE_MAX, true);
}

int loopscope_strncmp_(const char *A, const char *B, size_t Most) {
  return compare(A, B, Most, true);
}

const char *loopscope_strchr_(const char *String, int C) {
  for (;; ++String) {
    if (*String == static_cast<char>(C))
      return String;
    if (*String == 0)
      return nullptr;
  }
}

const char *loopscope_strrchr_(const char *String, int C) {
  for (const char *At = String + lengthOf(String, SIZE_MAX);; --At) {
    if (*At == static_cast<char>(C))
      return At;
    if (At == String)
      return nullptr;
  }
}

const char *loopscope_strstr_(const char *String, const char *Part) {
  size_t Length = lengthOf(Part, SIZE_MAX);
  for (;; ++String) {
    if (compare(String, Part, Length, true) == 0)
      return String;
    if (*String == 0)
      return nullptr;
  }
}

// Decimal digits only, which is all that the runtime needs.
long loopscope_strtol_(const char *String, char ** /*End*/, int /*Base*/) {
  long Number = 0;
  for (; *String >= '0' && *String <= '9'; ++String)
    if (__builtin_mul_overflow(Number, 10, &Number) ||
        __builtin_add_overflow(Number, *String - '0', &Number))
      return INT32_MAX;
  return Number;
}
} // extern "C"
