/* Declarations that nvcc gives CUDA sources and clang doesn't; included in
 * front of a source while loopscope-rewrite parses it with clang, and by
 * nothing else. Only declarations: nothing is compiled from them. */
#ifndef LOOPSCOPE_CLANG_CUDA_H
#define LOOPSCOPE_CLANG_CUDA_H

#if defined(__clang__) && defined(__CUDA__) && defined(__LOOPSCOPE_REWRITER__)
#pragma clang system_header

#define LOOPSCOPE_MIN_MAX_(TYPE)                                               \
  __host__ TYPE min(TYPE, TYPE);                                               \
  __host__ TYPE max(TYPE, TYPE)
LOOPSCOPE_MIN_MAX_(int);
LOOPSCOPE_MIN_MAX_(unsigned);
LOOPSCOPE_MIN_MAX_(long);
LOOPSCOPE_MIN_MAX_(unsigned long);
LOOPSCOPE_MIN_MAX_(long long);
LOOPSCOPE_MIN_MAX_(unsigned long long);
LOOPSCOPE_MIN_MAX_(float);
LOOPSCOPE_MIN_MAX_(double);
#undef LOOPSCOPE_MIN_MAX_

/* Stores with a cache hint. */
template <typename T> __host__ __device__ void __stcs(T *, T);
template <typename T> __host__ __device__ void __stcg(T *, T);
template <typename T> __host__ __device__ void __stwb(T *, T);
template <typename T> __host__ __device__ void __stwt(T *, T);

#endif

#endif /* LOOPSCOPE_CLANG_CUDA_H */
