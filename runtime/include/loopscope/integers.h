/* The integer types of <stdint.h> without including it. hooks.h stands ahead of
 * a rewritten program's first line, and a libc header there would settle libc's
 * feature-test macros (_GNU_SOURCE, _POSIX_C_SOURCE) before the program defines
 * them.
 */
#ifndef LOOPSCOPE_INTEGERS_H
#define LOOPSCOPE_INTEGERS_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#ifdef __UINT64_TYPE__
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
#else
#include <stdint.h>
#endif

#endif /* LOOPSCOPE_INTEGERS_H */
