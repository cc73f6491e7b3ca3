#include "net.h"

int validate(int x) { return forward(x) + forward(x); }
