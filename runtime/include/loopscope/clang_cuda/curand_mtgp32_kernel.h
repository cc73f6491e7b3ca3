/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Empty on purpose: clang's CUDA headers include cuRAND's header of this name,
 * which is missing where cuRAND isn't installed. Only loopscope-rewrite uses
 * this one, and only if there is no other. */
