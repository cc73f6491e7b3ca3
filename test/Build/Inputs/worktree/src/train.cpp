#include "net.h"
#include "../plain.h"
#include <layer.h>
#include <cassert>
#include <loopscope/annotate.h>

#if !__has_include("net.h")
#error
#endif

int main(int argc, char **) {
  int x = 0;
  LOOPSCOPE_TRAIN("2")
  for (int i = 0; i < 3; ++i)
    LOOPSCOPE_PHASE("model") x = forward(x) + layer(x);
  assert(argc == 1 || !"fails");
  std::printf("%s %d\n", __FILE__, plain(x));
}
