/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hooks in C refer to the unwinder, which is missing where libgcc isn't linked.
 * Nothing can unwind there, so these are never called. A libgcc that is linked
 * comes first, and this isn't taken from the archive. */
/* NOLINTBEGIN(bugprone-reserved-identifier): libgcc's names. */
__attribute__((weak)) int __gcc_personality_v0(void);
__attribute__((weak)) int __gcc_personality_v0(void) {
  return 8; /* _URC_CONTINUE_UNWIND */
}

__attribute__((weak, noreturn)) void _Unwind_Resume(void);
__attribute__((weak, noreturn)) void _Unwind_Resume(void) { __builtin_trap(); }
/* NOLINTEND(bugprone-reserved-identifier) */
