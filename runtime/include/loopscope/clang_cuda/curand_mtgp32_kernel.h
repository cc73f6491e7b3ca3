/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nothing: clang's CUDA headers include cuRAND's header of this name, which a
 * machine without cuRAND doesn't have. Read by loopscope-rewrite alone, where
 * there is no other. */
