"""Tests of rankings.py: names and measures."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "projects"))
import rankings


class Names(unittest.TestCase):
    def test_qualified(self):
        for written, name in {
                "longest_match": "longest_match",
                "sum(int*, int)": "sum",
                "void n::Net<float, n::Deep<3ul> >::back<2ul>(n::Tensor)": "n::Net::back",
                "n::(anonymous namespace)::load(char const*)": "n::load",
                "(anonymous namespace)::load": "load",
                "n::A::A(unsigned long)": "n::A::A",
                "n::A::operator<<(int)": "n::A::operatorltlt",
                "n::A::operator<<": "n::A::operatorltlt",
                "n::A<int>::operator()(int) const": "n::A::operatorcall",
                "bool n::operator< <int>(n::A<int> const&)": "n::operatorlt",
                "n::A::operator bool() const": "n::A::operator bool",
                "f(int) [clone .isra.0]": "f",
                "f.constprop.0.part.1": "f",
                "f.cold": "f",
                "walk'2": "walk",
                "void n::A<1ul>::each<n::A<1ul>::run(n::B)::{lambda(int)#1}>(long, "
                "n::A<1ul>::run(n::B)::{lambda(int)#1} const&)": "n::A::each",
                "n::A<1ul>::run(n::B)::{lambda(int, int)#1}::operator()(int, int) const":
                    "n::A::run::{lambda#1}::operatorcall",
                "n::name[abi:cxx11](int)": "n::name"}.items():
            self.assertEqual(rankings.qualified(written), name, written)


class Order(unittest.TestCase):
    one = rankings.measure([{"a": 0.6, "b": 0.3, "c": 0.1}, {"a": 0.5, "b": 0.4, "c": 0.1}])

    def test_shares(self):
        self.assertEqual(rankings.shares({"a": 3, "b": 1}), {"a": 0.75, "b": 0.25})
        self.assertEqual(rankings.shares({}), {})

    def test_absent_in_a_round(self):
        self.assertEqual(rankings.measure([{"a": 1.0}, {"b": 1.0}]),
                         {"a": [1.0, 0.0], "b": [0.0, 1.0]})

    def test_heaviest(self):
        self.assertEqual(rankings.heaviest(self.one, 2), ["a", "b"])

    def test_ahead(self):
        self.assertEqual(rankings.ahead(self.one, "a", "b", 0.01), 1)
        self.assertEqual(rankings.ahead(self.one, "b", "a", 0.01), -1)
        # Too close to distinguish; and a function that was never seen.
        self.assertEqual(rankings.ahead(self.one, "a", "b", 0.25), 0)
        self.assertEqual(rankings.ahead(self.one, "x", "c", 0.01), -1)

    def test_not_in_every_round(self):
        turns = rankings.measure([{"a": 0.9, "b": 0.1}, {"a": 0.4, "b": 0.6}])
        self.assertEqual(rankings.ahead(turns, "a", "b", 0.01), 0)

    def test_agreement(self):
        other = rankings.measure([{"a": 0.3, "b": 0.6, "c": 0.1}] * 2)
        self.assertEqual(rankings.agreement(self.one, other, ["b", "a", "c"], 0.01),
                         (3, 2, 0, [("a", "b")]))
        self.assertEqual(rankings.agreement(self.one, other, ["a", "b"], 0.3),
                         (1, 0, 1, []))
        self.assertEqual(rankings.agreement(self.one, self.one, ["a", "b", "c"], 0.01),
                         (3, 3, 0, []))

    def test_table(self):
        self.assertEqual(
            rankings.table({"perf": self.one}, {"b": [0.7], "a": [0.2]}, ["a", "c"], {"a"}),
            "|  | function | perf | advanced report | its place there |\n"
            "|---:|---|---:|---:|---:|\n"
            "| 1 | ~`a` | 55.0% (50.0 to 60.0) | 20.0% | 2 |\n"
            "| 2 | `c` | 10.0% (10.0 to 10.0) | 0.0% |  |")


if __name__ == "__main__":
    unittest.main()
