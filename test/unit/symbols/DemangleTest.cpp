// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readable C++ names.

#include "Symbols/Demangle.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
TEST(Demangle, OnlyMangledNames) {
  EXPECT_EQ(demangled("_ZN2ns1fEi"), "ns::f(int)");
  EXPECT_EQ(demangled("_Znot"), "_Znot");
  EXPECT_EQ(demangled("qsort"), "qsort");
  EXPECT_EQ(demangled(""), "");
}

TEST(Demangle, WithoutTypes) {
  EXPECT_EQ(withoutTypes("void ns::f<int>(int) const"), "ns::f<int>");
  EXPECT_EQ(withoutTypes("f(int) [clone .cold]"), "f");
  EXPECT_EQ(withoutTypes("(anonymous namespace)::g(int)"),
            "(anonymous namespace)::g");
  EXPECT_EQ(withoutTypes("ns::(anonymous namespace)::g"),
            "ns::(anonymous namespace)::g");
  EXPECT_EQ(withoutTypes("X::operator()(int) const"), "X::operator()");
  EXPECT_EQ(withoutTypes("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(withoutTypes("unsigned long a::b<(K)1>(x)"), "a::b<(K)1>");
  EXPECT_EQ(withoutTypes("main::{lambda(int, char)#1}::operator()(int) const"),
            "main::{lambda(int, char)#1}::operator()");
  EXPECT_EQ(
      withoutTypes("void std::sort<int*, bool (*)(int, int)>(int*, int*, bool "
                   "(*)(int, int))"),
      "std::sort<int*, bool (*)(int, int)>");
  EXPECT_EQ(withoutTypes("plain"), "plain");
  EXPECT_EQ(withoutTypes(")"), ")");
  EXPECT_EQ(withoutTypes("(("), "((");
  EXPECT_EQ(withoutTypes(""), "");
}
} // namespace
