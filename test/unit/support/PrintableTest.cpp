// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How foreign text is shown on a terminal.

#include "Support/Printable.h"

#include <gtest/gtest.h>

using loopscope::printable;

namespace {

TEST(Printable, KeepsVisibleCharacters) {
  EXPECT_EQ(printable("conv2d (3x3), \"fwd\"\\"), "conv2d (3x3), \"fwd\"\\");
  EXPECT_EQ(printable("größe µs 前向 🚀"), "größe µs 前向 🚀");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ReplacesControls) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a?[31mb");
  EXPECT_EQ(printable("a\nb\tc\rd\x7f"), "a?b?c?d?");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
  EXPECT_EQ(printable("a\u009bb"), "a?b");
}

TEST(Printable, ReplacesFormattingCharacters) {
  EXPECT_EQ(printable("a\u202eb\u2066c"), "a?b?c");
  EXPECT_EQ(printable("a\u200bb\u00adc\ufeffd"), "a?b?c?d");
  EXPECT_EQ(printable("a\u2028b\U000e0041c"), "a?b?c");
}

TEST(Printable, ReplacesInvalidBytes) {
  EXPECT_EQ(printable("a\xff\xfe"), "a??");
  // Truncated, overlong, a surrogate, above U+10FFFF.
  EXPECT_EQ(printable("a\xe2\x82"), "a??");
  EXPECT_EQ(printable("\xc0\xaf"), "??");
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????");
}

} // namespace
