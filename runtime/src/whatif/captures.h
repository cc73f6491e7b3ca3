// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether any CUDA stream is capturing, as GPU collection tells. Work done
// during capture is recorded to run later, so it must not be lengthened.

#ifndef LOOPSCOPE_WHATIF_CAPTURES_H
#define LOOPSCOPE_WHATIF_CAPTURES_H

namespace loopscope::runtime {

/// Any thread.
bool isCapturing();

/// CaptureBegins and CaptureEnds of Extension.
void beginCapture();
void endCapture();

/// For a forked child: none is.
void resetCaptures();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_WHATIF_CAPTURES_H
