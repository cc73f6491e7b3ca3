// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of what is linked as glibc 2.28 has it: linked on a newer system, our
// programs and libraries also run on older ones.
//
// CMake reads each line that begins with WRAP or OLD, and has the linker send
// every reference to NAME, also an archive's, to __wrap_NAME (--wrap).

#ifndef LOOPSCOPE_TOOL_PORTABLE_OLD_GLIBC_H
#define LOOPSCOPE_TOOL_PORTABLE_OLD_GLIBC_H

// The first version of most names, and of those that came a little later.
#ifdef __x86_64__
#define FIRST_VERSION "GLIBC_2.2.5"
#define SETNAME_VERSION "GLIBC_2.12"
#else
#define FIRST_VERSION "GLIBC_2.17"
#define SETNAME_VERSION FIRST_VERSION
#endif

// A function of ours in place of one that glibc 2.28 lacks.
#define WRAP(NAME, RESULT, PARAMETERS)                                         \
  extern "C" RESULT __wrap_##NAME PARAMETERS;                                  \
  RESULT __wrap_##NAME PARAMETERS

// glibc's own function, in the first version that it had.
#define OLD_FROM(VERSION, NAME, RESULT, PARAMETERS, ARGUMENTS)                 \
  extern "C" RESULT loopscope_old_##NAME PARAMETERS;                           \
  __asm__(".symver loopscope_old_" #NAME "," #NAME "@" VERSION);               \
  WRAP(NAME, RESULT, PARAMETERS) { return loopscope_old_##NAME ARGUMENTS; }
#define OLD(NAME, RESULT, PARAMETERS, ARGUMENTS)                               \
  OLD_FROM(FIRST_VERSION, NAME, RESULT, PARAMETERS, ARGUMENTS)

#endif // LOOPSCOPE_TOOL_PORTABLE_OLD_GLIBC_H
