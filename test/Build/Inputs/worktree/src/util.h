#pragma once
#include "../plain.h"

inline int increment(int x) { return plain(x) + 1; }
