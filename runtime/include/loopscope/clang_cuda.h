/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA declarations that nvcc has and clang lacks. loopscope-rewrite includes
 * this header in front of a source when it parses with clang; nothing is
 * compiled from it. */
#ifndef LOOPSCOPE_CLANG_CUDA_H
#define LOOPSCOPE_CLANG_CUDA_H

#if defined(__clang__) && defined(__CUDA__) && defined(__LOOPSCOPE_REWRITER__)
#pragma clang system_header

/* cuda_runtime.h includes <cmath>, and its classification functions must be
 * callable without std:: in host code. */
#include <cmath>
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

/* Host overloads of functions that clang declares for devices only. */
#define LOOPSCOPE_MIN_MAX_(RESULT, A, B)                                       \
  __host__ RESULT min(A, B);                                                   \
  __host__ RESULT max(A, B)
#define LOOPSCOPE_MIN_MAX_SIGNS_(TYPE)                                         \
  LOOPSCOPE_MIN_MAX_(TYPE, TYPE, TYPE);                                        \
  LOOPSCOPE_MIN_MAX_(unsigned TYPE, unsigned TYPE, unsigned TYPE);             \
  LOOPSCOPE_MIN_MAX_(unsigned TYPE, TYPE, unsigned TYPE);                      \
  LOOPSCOPE_MIN_MAX_(unsigned TYPE, unsigned TYPE, TYPE)
LOOPSCOPE_MIN_MAX_SIGNS_(int);
LOOPSCOPE_MIN_MAX_SIGNS_(long);
LOOPSCOPE_MIN_MAX_SIGNS_(long long);
LOOPSCOPE_MIN_MAX_(float, float, float);
LOOPSCOPE_MIN_MAX_(double, double, double);
LOOPSCOPE_MIN_MAX_(double, float, double);
LOOPSCOPE_MIN_MAX_(double, double, float);
#undef LOOPSCOPE_MIN_MAX_
#undef LOOPSCOPE_MIN_MAX_SIGNS_

__host__ unsigned umin(unsigned, unsigned);
__host__ unsigned umax(unsigned, unsigned);
__host__ long long llmin(long long, long long);
__host__ long long llmax(long long, long long);
__host__ unsigned long long ullmin(unsigned long long, unsigned long long);
__host__ unsigned long long ullmax(unsigned long long, unsigned long long);

/* NAMEf takes float; NAME accepts it as well. */
#define LOOPSCOPE_MATH_(NAME)                                                  \
  __host__ double NAME(double);                                                \
  __host__ float NAME(float);                                                  \
  __host__ float NAME##f(float)
LOOPSCOPE_MATH_(rsqrt);
LOOPSCOPE_MATH_(rcbrt);
LOOPSCOPE_MATH_(sinpi);
LOOPSCOPE_MATH_(cospi);
LOOPSCOPE_MATH_(erfinv);
LOOPSCOPE_MATH_(erfcinv);
LOOPSCOPE_MATH_(erfcx);
LOOPSCOPE_MATH_(normcdf);
LOOPSCOPE_MATH_(normcdfinv);
#undef LOOPSCOPE_MATH_
__host__ void sincospi(double, double *, double *);
__host__ void sincospi(float, float *, float *);
__host__ void sincospif(float, float *, float *);

/* Stores with a cache hint. */
template <typename T> __host__ __device__ void __stcs(T *, T);
template <typename T> __host__ __device__ void __stcg(T *, T);
template <typename T> __host__ __device__ void __stwb(T *, T);
template <typename T> __host__ __device__ void __stwt(T *, T);

/* nvcc's builtins for --extended-lambda, which Thrust and CUB apply to every
 * functor. Host code doesn't depend on their value. */
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

#endif

#endif /* LOOPSCOPE_CLANG_CUDA_H */
