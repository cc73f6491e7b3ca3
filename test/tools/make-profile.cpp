// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a profile from a description; see ProfileDescription.h.
//
//   make-profile DESCRIPTION PROFILE

#include "ProfileDescription.h"

#include <cstdio>
#include <fstream>
#include <sstream>

int main(int ArgCount, char **Args) {
  std::ifstream In(ArgCount == 3 ? Args[1] : "");
  if (!In) {
    std::fprintf(stderr, "usage: make-profile DESCRIPTION PROFILE\n");
    return 1;
  }
  std::ostringstream Text;
  Text << In.rdbuf();
  std::ofstream Out(Args[2], std::ios::binary);
  Out << describedProfile(Text.str());
  return Out.flush() ? 0 : 1;
}
