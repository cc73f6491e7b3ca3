// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A heap ordered by time, earliest first.

#ifndef LOOPSCOPE_GPU_HEAP_H
#define LOOPSCOPE_GPU_HEAP_H

#include "array.h"

namespace loopscope::runtime {

/// T has a member Start, its time.
template <typename T> class EarliestFirst {
public:
  size_t size() const { return All.size(); }
  /// The earliest element; the heap must not be empty.
  const T &first() { return All[0]; }

  /// False if out of memory.
  bool push(const T &Element) {
    if (!All.push(Element))
      return false;
    for (size_t I = All.size() - 1; I != 0;) {
      size_t Parent = (I - 1) / 2;
      if (All[Parent].Start <= All[I].Start)
        break;
      swap(Parent, I);
      I = Parent;
    }
    return true;
  }

  /// Removes the earliest element; the heap must not be empty.
  T takeFirst() {
    T First = All[0];
    All[0] = All.back();
    All.popBack();
    for (size_t I = 0;;) {
      size_t Child = 2 * I + 1;
      if (Child + 1 < All.size() && All[Child].Start > All[Child + 1].Start)
        ++Child;
      if (Child >= All.size() || All[I].Start <= All[Child].Start)
        return First;
      swap(I, Child);
      I = Child;
    }
  }

private:
  void swap(size_t A, size_t B) {
    T Kept = All[A];
    All[A] = All[B];
    All[B] = Kept;
  }
  Array<T> All;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_HEAP_H
