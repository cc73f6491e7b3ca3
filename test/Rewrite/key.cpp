// A key is evaluated where its span begins: integers, enumerations and texts, temporaries too; on functions, statements,
// declarations, lambdas, waits, stages and epochs; its label is its expression unless it is given.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
// RUN: %text
#include "work.h"
#include <string>

enum Plain { A, B };
enum class Scoped : unsigned char { X = 7 };
enum class Large : unsigned long { X = 0xfffffffffffffff0 };
enum class Below : short { X = -3 };
struct Bits {
  unsigned three : 3;
};
template <int N, typename T> struct Pair {
  static int sum(T v) { return N + static_cast<int>(v); }
};

int zero = 0;
struct Fixed {
  enum : int { zero = 4 };
};

struct Layer {
  int Index;
  std::string name() const { return "layer " + std::to_string(Index); }
  [[loopscope::phase("forward"), loopscope::key("layer", "Index")]] void forward() const { work("f"); }
  // CHECK: void forward() const {__LOOPSCOPE_KEYED_SITE(1, PHASE, "forward", [[@LINE-1]], "Layer::forward", "layer"); __LOOPSCOPE_KEYED(1, 0, Index); work("f"); }
};

template <typename T> [[loopscope::phase("cast"), loopscope::key("sizeof(T)")]] void cast() { work("c"); }
// CHECK: template <typename T> void cast() {__LOOPSCOPE_KEYED_SITE(2, PHASE, "cast", [[@LINE-1]], "cast", "sizeof(T)"); __LOOPSCOPE_KEYED(2, 0, sizeof(T)); work("c"); }

int main() {
  for (int l = 0; l < 3; ++l) {
    [[loopscope::phase("block"), loopscope::key("l - 1")]] Layer{l}.forward();
    // CHECK: {__LOOPSCOPE_KEYED_SITE(3, PHASE, "block", [[@LINE-1]], "main", "l - 1"); __LOOPSCOPE_KEYED(3, 0, l - 1); Layer{l}.forward();}
  }
  Layer last{9};
  char buffer[8] = "buffer";
  const char *const text = "text";
  Bits bits{5};
  (void)last, (void)buffer, (void)text, (void)bits;
  [[loopscope::key("last.name()"), loopscope::wait]] work("a");
  // CHECK: {__LOOPSCOPE_KEYED_SITE(4, WAIT, "wait", [[@LINE-1]], "main", "last.name()"); __LOOPSCOPE_KEYED(4, 0, last.name()); work("a");}
  [[loopscope::phase("text"), loopscope::key("what", "text")]] int n = value("b", 2);
  // CHECK: __LOOPSCOPE_KEYED_SITE(5, PHASE, "text", [[@LINE-1]], "main", "what"); __LOOPSCOPE_KEYED(5, 1, text); int n = value("b", 2); __LOOPSCOPE_END(5);
  [[loopscope::phase("buffer"), loopscope::key("buffer")]] work(n ? "d" : "-");
  [[loopscope::phase("plain"), loopscope::key("n == 2 ? B : A")]] work("e");
  [[loopscope::phase("scoped"), loopscope::key("Scoped::X")]] { work("g"); }
  [[loopscope::phase("large"), loopscope::key("Large::X")]] work("la");
  [[loopscope::phase("below"), loopscope::key("Below::X")]] work("be");
  [[loopscope::phase("wide"), loopscope::key("wchar_t(-1)")]] work("w");
  [[loopscope::phase("bits"), loopscope::key("bits.three")]] work("h");
  [[loopscope::phase("odd"), loopscope::key("n % 2 != 0")]] work("i");
  [[loopscope::phase("letter"), loopscope::key("buffer[0]")]] work("j");
  [[loopscope::phase("comma"), loopscope::key("Pair<3, long>::sum(4)")]] work("k");
  // CHECK: {{.*}}__LOOPSCOPE_KEYED({{[0-9]+}}, 1, (Pair<3, long>::sum(4))); work("k");}
  [[loopscope::phase("both"), loopscope::flops("2"), loopscope::key("n")]] work("l");
  // CHECK: {{.*}}__LOOPSCOPE_KEYED({{[0-9]+}}, 1, n); __LOOPSCOPE_AMOUNT({{[0-9]+}}, flops, 2); work("l");}
  [[loopscope::epoch, loopscope::key("e")]] for (long e = -2; e < 0; ++e) { work("m"); }
  // CHECK: for (long e = -2; e < 0; ++e) {__LOOPSCOPE_KEYED_SITE({{[0-9]+}}, EPOCH, "epoch", [[@LINE-1]], "main", "e"); __LOOPSCOPE_KEYED({{[0-9]+}}, 0, e); work("m"); }
  auto stage = [&](int fold) { [[loopscope::validate, loopscope::key("fold")]] { work(fold ? "o" : "-"); } };
  stage(4);
  // Members of other objects have the names of what is declared here.
  Layer *at = &last;
  (void)at;
  [[loopscope::phase("member"), loopscope::key("last.Index")]] for (int Index = 0; Index < 1; ++Index) work("p");
  [[loopscope::phase("arrow"), loopscope::key("at -> Index")]] int Index = value("q", 1);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
  [[loopscope::phase("scope"), loopscope::key("::zero + Fixed::zero")]] for (int zero = 0; zero < 1; ++zero) work("r");
#pragma GCC diagnostic pop
  work(Index ? "s" : "-");
  cast<char>();
  cast<long>();
}
// TRACE: block[l_-_1=-1](forward[layer=0](f))
// TRACE: block[l_-_1=0](forward[layer=1](f))
// TRACE: block[l_-_1=1](forward[layer=2](f))
// TRACE: wait[last.name__="layer_9"](a)
// TRACE: ~text[what="text"](b)
// TRACE: ~buffer[buffer="buffer"](d)
// TRACE: ~plain[n_==_2_?_B_:_A=1{{u?}}](e)
// TRACE: ~scoped[{7=Scoped::X}Scoped::X=7u](g)
// TRACE: ~large[{18446744073709551600=Large::X}Large::X=18446744073709551600u](la)
// TRACE: ~below[{-3=Below::X}Below::X=-3](be)
// TRACE: ~wide[wchar_t_-1_={{-1|4294967295u}}](w)
// TRACE: ~bits[bits.three=5u](h)
// TRACE: ~odd[n_%_2_!=_0=false](i)
// TRACE: ~letter[buffer[0]='b'](j)
// TRACE: ~comma[Pair<3,_long>::sum_4_=7](k)
// TRACE: ~both[n=2](flops=2 l)
// TRACE: epoch[e=-2](m)
// TRACE: epoch[e=-1](m)
// TRACE: validate[fold=4](o)
// TRACE: member[last.Index=9](p)
// TRACE: ~arrow[at_->_Index=9](q)
// TRACE: scope[::zero_+_Fixed::zero=4](r)
// TRACE: s
// TRACE: cast[sizeof_T_=1u](c)
// TRACE: cast[sizeof_T_=8u](c)
