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

TEST(Demangle, WithoutArguments) {
  EXPECT_EQ(withoutArguments("ns::C<int, D<2> >::f<3>"), "ns::C::f");
  EXPECT_EQ(withoutArguments("C<int>::operator<< <int>"), "C::operator<<");
  EXPECT_EQ(withoutArguments("C<int>::operator=<D<int> >"), "C::operator=");
  EXPECT_EQ(withoutArguments("C<int>::operator->"), "C::operator->");
  EXPECT_EQ(withoutArguments("C<int>::operator()"), "C::operator()");
  EXPECT_EQ(withoutArguments("(anonymous namespace)::g"),
            "(anonymous namespace)::g");
  EXPECT_EQ(withoutArguments("C<int>::<lambda(D<int>)>::operator()"),
            "C::<lambda(D<int>)>::operator()");
  EXPECT_EQ(withoutArguments("f"), "f");
}

TEST(Demangle, PlainName) {
  EXPECT_EQ(plainName("ns::C<a::b>::f<c::d>"), "f");
  EXPECT_EQ(plainName("C::operator a::b"), "operator a::b");
  EXPECT_EQ(plainName("f"), "f");
}
