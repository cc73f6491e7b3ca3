/* Included in front of a source that the build plugin compiled without hooks
 * (--on-error=passthrough): tells the runtime at start-up, so that the report
 * names the file. LOOPSCOPE_MISSING_FILE_, a string literal, comes from the
 * command line. C and C++; nothing in the device passes of a CUDA compiler. */
#ifndef LOOPSCOPE_MISSING_H
#define LOOPSCOPE_MISSING_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#include <loopscope/loopscope.h>

#if defined(LOOPSCOPE_MISSING_FILE_) && !defined(__CUDA_ARCH__)
__attribute__((__constructor__, __used__)) static void
loopscope_note_missing_file_(void) {
  loopscope_missing_file(LOOPSCOPE_MISSING_FILE_);
}
#endif

#endif /* LOOPSCOPE_MISSING_H */
