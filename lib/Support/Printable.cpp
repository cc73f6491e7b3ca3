// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes UTF-8, and lists the characters that aren't let through.

#include "Support/Printable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

using namespace loopscope;

namespace {
struct Range {
  uint32_t First, Last;
};

// Sorted. Unicode's Default_Ignorable_Code_Point, Cc, Zl, Zp and the
// interlinear annotations.
constexpr Range Hidden[] = {
    {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},  {0x034f, 0x034f},
    {0x061c, 0x061c},   {0x115f, 0x1160},   {0x17b4, 0x17b5},  {0x180b, 0x180f},
    {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},  {0x3164, 0x3164},
    {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},  {0xfff0, 0xfffb},
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

bool isHidden(uint32_t Code) {
  const Range *Next =
      std::upper_bound(std::begin(Hidden), std::end(Hidden), Code,
                       [](uint32_t C, const Range &R) { return C < R.First; });
  return Next != std::begin(Hidden) && Code <= std::prev(Next)->Last;
}

// The character at the start of TEXT; zero bytes long if it isn't UTF-8.
struct Character {
  uint32_t Code = 0;
  size_t Bytes = 0;
};

Character firstOf(std::string_view Text) {
  auto Byte = [&](size_t I) { return static_cast<unsigned char>(Text[I]); };
  unsigned Lead = Byte(0);
  size_t Length = Lead < 0x80             ? 1
                  : (Lead & 0xe0) == 0xc0 ? 2
                  : (Lead & 0xf0) == 0xe0 ? 3
                  : (Lead & 0xf8) == 0xf0 ? 4
                                          : 0;
  if (Length == 0 || Length > Text.size())
    return {};
  uint32_t Code = Length == 1 ? Lead : Lead & (0x7fu >> Length);
  for (size_t I = 1; I < Length; ++I) {
    if ((Byte(I) & 0xc0) != 0x80)
      return {};
    Code = Code << 6 | (Byte(I) & 0x3fu);
  }
  constexpr std::array<uint32_t, 5> Least = {0, 0, 0x80, 0x800, 0x10000};
  bool Surrogate = Code >= 0xd800 && Code < 0xe000;
  if (Code < Least[Length] || Code > 0x10ffff || Surrogate)
    return {};
  return {Code, Length};
}
} // namespace

std::string loopscope::hexadecimal(std::span<const uint8_t> Bytes) {
  constexpr char Digits[] = "0123456789abcdef";
  std::string Result;
  for (uint8_t Each : Bytes) {
    Result += Digits[Each >> 4];
    Result += Digits[Each & 0xf];
  }
  return Result;
}

std::string loopscope::shellQuoted(std::string_view Text) {
  constexpr std::string_view Plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
      "_-./:@%+=,";
  if (!Text.empty() && Text.find_first_not_of(Plain) == Text.npos)
    return std::string(Text);
  std::string Result = "'";
  for (char C : Text)
    if (C == '\'')
      Result += "'\\''";
    else
      Result += C;
  return Result + "'";
}

std::string loopscope::doubleQuoted(std::string_view Text) {
  std::string Result = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result + '"';
}

std::string loopscope::printable(std::string_view Text) {
  // Nearly all texts are.
  if (std::ranges::all_of(Text, [](char C) { return C >= ' ' && C <= '~'; }))
    return std::string(Text);
  std::string Result;
  Result.reserve(Text.size());
  while (!Text.empty()) {
    Character Next = firstOf(Text);
    size_t Bytes = std::max<size_t>(Next.Bytes, 1);
    if (Next.Bytes == 0 || isHidden(Next.Code))
      Result += '?';
    else
      Result += Text.substr(0, Bytes);
    Text.remove_prefix(Bytes);
  }
  return Result;
}
