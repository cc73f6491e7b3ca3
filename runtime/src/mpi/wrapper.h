// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wrapper of MPI_NAME with ARITY parameters. The fields of its Function stand
// behind these.

#ifndef LOOPSCOPE_MPI_WRAPPER_H
#define LOOPSCOPE_MPI_WRAPPER_H

#include "calls.h"

// W is a parameter's type; the others are its name and the argument.
#define LOOPSCOPE_MPI_TYPES_0 void
#define LOOPSCOPE_MPI_TYPES_1 W A0
#define LOOPSCOPE_MPI_TYPES_2 LOOPSCOPE_MPI_TYPES_1, W A1
#define LOOPSCOPE_MPI_TYPES_3 LOOPSCOPE_MPI_TYPES_2, W A2
#define LOOPSCOPE_MPI_TYPES_4 LOOPSCOPE_MPI_TYPES_3, W A3
#define LOOPSCOPE_MPI_TYPES_5 LOOPSCOPE_MPI_TYPES_4, W A4
#define LOOPSCOPE_MPI_TYPES_6 LOOPSCOPE_MPI_TYPES_5, W A5
#define LOOPSCOPE_MPI_TYPES_7 LOOPSCOPE_MPI_TYPES_6, W A6
#define LOOPSCOPE_MPI_TYPES_8 LOOPSCOPE_MPI_TYPES_7, W A7
#define LOOPSCOPE_MPI_TYPES_9 LOOPSCOPE_MPI_TYPES_8, W A8
#define LOOPSCOPE_MPI_TYPES_12 LOOPSCOPE_MPI_TYPES_9, W A9, W A10, W A11

#define LOOPSCOPE_MPI_NAMES_0 0
#define LOOPSCOPE_MPI_NAMES_1 A0
#define LOOPSCOPE_MPI_NAMES_2 LOOPSCOPE_MPI_NAMES_1, A1
#define LOOPSCOPE_MPI_NAMES_3 LOOPSCOPE_MPI_NAMES_2, A2
#define LOOPSCOPE_MPI_NAMES_4 LOOPSCOPE_MPI_NAMES_3, A3
#define LOOPSCOPE_MPI_NAMES_5 LOOPSCOPE_MPI_NAMES_4, A4
#define LOOPSCOPE_MPI_NAMES_6 LOOPSCOPE_MPI_NAMES_5, A5
#define LOOPSCOPE_MPI_NAMES_7 LOOPSCOPE_MPI_NAMES_6, A6
#define LOOPSCOPE_MPI_NAMES_8 LOOPSCOPE_MPI_NAMES_7, A7
#define LOOPSCOPE_MPI_NAMES_9 LOOPSCOPE_MPI_NAMES_8, A8
#define LOOPSCOPE_MPI_NAMES_12 LOOPSCOPE_MPI_NAMES_9, A9, A10, A11

#define LOOPSCOPE_MPI_PASSED_0
#define LOOPSCOPE_MPI_PASSED_1 P[0]
#define LOOPSCOPE_MPI_PASSED_2 LOOPSCOPE_MPI_PASSED_1, P[1]
#define LOOPSCOPE_MPI_PASSED_3 LOOPSCOPE_MPI_PASSED_2, P[2]
#define LOOPSCOPE_MPI_PASSED_4 LOOPSCOPE_MPI_PASSED_3, P[3]
#define LOOPSCOPE_MPI_PASSED_5 LOOPSCOPE_MPI_PASSED_4, P[4]
#define LOOPSCOPE_MPI_PASSED_6 LOOPSCOPE_MPI_PASSED_5, P[5]
#define LOOPSCOPE_MPI_PASSED_7 LOOPSCOPE_MPI_PASSED_6, P[6]
#define LOOPSCOPE_MPI_PASSED_8 LOOPSCOPE_MPI_PASSED_7, P[7]
#define LOOPSCOPE_MPI_PASSED_9 LOOPSCOPE_MPI_PASSED_8, P[8]
#define LOOPSCOPE_MPI_PASSED_12 LOOPSCOPE_MPI_PASSED_9, P[9], P[10], P[11]

#define LOOPSCOPE_MPI_WRAPPER(NAME, ARITY, ...)                                \
  using W = loopscope::mpi::Word;                                              \
  extern "C" int PMPI_##NAME(LOOPSCOPE_MPI_TYPES_##ARITY);                     \
  extern "C" __attribute__((visibility("default"))) int MPI_##NAME(            \
      LOOPSCOPE_MPI_TYPES_##ARITY);                                            \
  int MPI_##NAME(LOOPSCOPE_MPI_TYPES_##ARITY) {                                \
    static constexpr loopscope::mpi::Function Of = {.Name = "MPI_" #NAME,      \
                                                    __VA_ARGS__};              \
    W P[] = {LOOPSCOPE_MPI_NAMES_##ARITY};                                     \
    loopscope::mpi::Call Around(Of, P);                                        \
    int Result = PMPI_##NAME(LOOPSCOPE_MPI_PASSED_##ARITY);                    \
    Around.end(Result);                                                        \
    return Result;                                                             \
  }

#endif // LOOPSCOPE_MPI_WRAPPER_H
