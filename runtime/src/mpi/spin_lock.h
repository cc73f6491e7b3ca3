// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock held for a few stores, never across an MPI call.

#ifndef LOOPSCOPE_MPI_SPIN_LOCK_H
#define LOOPSCOPE_MPI_SPIN_LOCK_H

namespace loopscope::mpi {

class SpinLock {
public:
  explicit SpinLock(unsigned char &Of) : Of(Of) {
    while (__atomic_test_and_set(&Of, __ATOMIC_ACQUIRE))
      ;
  }
  ~SpinLock() { __atomic_clear(&Of, __ATOMIC_RELEASE); }
  SpinLock(const SpinLock &) = delete;
  SpinLock &operator=(const SpinLock &) = delete;

private:
  unsigned char &Of;
};

} // namespace loopscope::mpi

#endif // LOOPSCOPE_MPI_SPIN_LOCK_H
