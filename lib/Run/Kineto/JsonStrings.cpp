// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts escapes to UTF-8.

#include "Run/Kineto/JsonStrings.h"

#include <cstddef>
#include <cstdint>

namespace loopscope {
namespace {

int hexDigit(char C) {
  if (C >= '0' && C <= '9')
    return C - '0';
  C = static_cast<char>(C | 0x20);
  return C >= 'a' && C <= 'f' ? C - 'a' + 10 : -1;
}

// Reads the four hex digits at Raw[At]; -1 if they aren't.
int32_t hexUnit(std::string_view Raw, size_t At) {
  if (At + 4 > Raw.size())
    return -1;
  int32_t Unit = 0;
  for (size_t I = At; I != At + 4; ++I) {
    int Digit = hexDigit(Raw[I]);
    if (Digit < 0)
      return -1;
    Unit = Unit * 16 + Digit;
  }
  return Unit;
}

void appendUtf8(std::string &Out, uint32_t Point) {
  auto Put = [&](uint32_t Byte) { Out.push_back(static_cast<char>(Byte)); };
  if (Point < 0x80) {
    Put(Point);
  } else if (Point < 0x800) {
    Put(0xC0 | Point >> 6);
    Put(0x80 | (Point & 0x3F));
  } else if (Point < 0x10000) {
    Put(0xE0 | Point >> 12);
    Put(0x80 | (Point >> 6 & 0x3F));
    Put(0x80 | (Point & 0x3F));
  } else {
    Put(0xF0 | Point >> 18);
    Put(0x80 | (Point >> 12 & 0x3F));
    Put(0x80 | (Point >> 6 & 0x3F));
    Put(0x80 | (Point & 0x3F));
  }
}

} // namespace

std::string unescapeJson(std::string_view Raw) {
  std::string Out;
  Out.reserve(Raw.size());
  for (size_t I = 0; I < Raw.size(); ++I) {
    if (Raw[I] != '\\' || I + 1 == Raw.size()) {
      Out.push_back(Raw[I]);
      continue;
    }
    char C = Raw[++I];
    constexpr std::string_view Codes = "bfnrt";
    constexpr std::string_view Meanings = "\b\f\n\r\t";
    if (size_t Found = Codes.find(C); Found != std::string_view::npos) {
      Out.push_back(Meanings[Found]);
    } else if (C == 'u') {
      int32_t Unit = hexUnit(Raw, I + 1);
      if (Unit < 0)
        continue;
      I += 4;
      auto Point = static_cast<uint32_t>(Unit);
      if (Point >= 0xD800 && Point < 0xDC00 && Raw.substr(I + 1, 2) == "\\u") {
        int32_t Low = hexUnit(Raw, I + 3);
        if (Low >= 0xDC00 && Low < 0xE000) {
          I += 6;
          Point = 0x10000 + ((Point - 0xD800) << 10) +
                  (static_cast<uint32_t>(Low) - 0xDC00);
        }
      }
      // A lone surrogate has no UTF-8 form.
      appendUtf8(Out, Point >= 0xD800 && Point < 0xE000 ? 0xFFFD : Point);
    } else {
      Out.push_back(C);
    }
  }
  return Out;
}

} // namespace loopscope
