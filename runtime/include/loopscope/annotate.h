/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Annotations as macros, for sources that must compile without warnings
 * everywhere: they expand to [[loopscope::...]] attributes while
 * loopscope-rewrite reads the file, and to nothing otherwise. Reference:
 * docs/annotations.md.
 *
 * Works in C99 and C++11 or newer. Declares nothing and includes nothing. */
#ifndef LOOPSCOPE_ANNOTATE_H
#define LOOPSCOPE_ANNOTATE_H

/* A system header, so that its macros never cause warnings in the project. */
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#ifdef __LOOPSCOPE_REWRITER__

/* Times each execution of a function, statement, declaration, block or lambda
 * under NAME (a string literal). */
#define LOOPSCOPE_PHASE(NAME) [[__loopscope::__phase(NAME)]]
/* Stages: a function definition or statement that holds the whole training,
 * validation, test or prediction. */
#define LOOPSCOPE_FIT [[__loopscope::__fit]]
#define LOOPSCOPE_VALIDATE [[__loopscope::__validate]]
#define LOOPSCOPE_TEST [[__loopscope::__test]]
#define LOOPSCOPE_PREDICT [[__loopscope::__predict]]
/* Before a loop: each iteration is one epoch. */
#define LOOPSCOPE_EPOCH [[__loopscope::__epoch]]
/* Before the loop over batches: each iteration is a step. SAMPLES is a string
 * literal with an expression for the step's number of samples. */
#define LOOPSCOPE_TRAIN(SAMPLES) [[__loopscope::__train(SAMPLES)]]
#define LOOPSCOPE_VALID(SAMPLES) [[__loopscope::__valid(SAMPLES)]]
/* Like LOOPSCOPE_TRAIN, without a number of samples. */
#define LOOPSCOPE_TRAIN_LOOP [[__loopscope::__train]]
#define LOOPSCOPE_VALID_LOOP [[__loopscope::__valid]]
/* A statement inside a step that waits for data. */
#define LOOPSCOPE_DRAW [[__loopscope::__draw]]
/* Code that only waits, under NAME (a string literal); its time never counts as
 * useful. LOOPSCOPE_WAIT() is called "wait". */
#define LOOPSCOPE_WAIT(NAME) [[__loopscope::__wait(NAME)]]
/* Communication in which every rank takes part and which no rank leaves before
 * the last one has arrived, such as an all-reduce or a barrier. NAME is a
 * string literal; BYTES is a string literal with an expression for the bytes
 * moved. */
#define LOOPSCOPE_COLLECTIVE(NAME) [[__loopscope::__collective(NAME)]]
#define LOOPSCOPE_COLLECTIVE_BYTES(NAME, BYTES)                                \
  [[__loopscope::__collective(NAME, BYTES)]]
/* Next to a phase or a loop over batches: the floating-point operations of each
 * execution or step. FLOPS is a string literal with an expression. */
#define LOOPSCOPE_FLOPS(FLOPS) [[__loopscope::__flops(FLOPS)]]
/* Next to an epoch or a loop over batches: how many iterations the loop has.
 * COUNT is a string literal with an expression. */
#define LOOPSCOPE_ITERATIONS(COUNT) [[__loopscope::__iterations(COUNT)]]
/* Next to a phase, a wait, an epoch or a stage: tells its spans apart, such as
 * the layers of a loop. EXPRESSION is a string literal with an integer, a bool,
 * an enumeration or a text, without side effects. LABEL, a string literal, says
 * what it is. */
#define LOOPSCOPE_KEY(EXPRESSION) [[__loopscope::__key(EXPRESSION)]]
#define LOOPSCOPE_KEY_NAMED(LABEL, EXPRESSION)                                 \
  [[__loopscope::__key(LABEL, EXPRESSION)]]
/* Keeps function mode away from a function. */
#define LOOPSCOPE_IGNORE [[__loopscope::__ignore]]

#else

#define LOOPSCOPE_PHASE(NAME)
#define LOOPSCOPE_FIT
#define LOOPSCOPE_VALIDATE
#define LOOPSCOPE_TEST
#define LOOPSCOPE_PREDICT
#define LOOPSCOPE_EPOCH
#define LOOPSCOPE_TRAIN(SAMPLES)
#define LOOPSCOPE_VALID(SAMPLES)
#define LOOPSCOPE_TRAIN_LOOP
#define LOOPSCOPE_VALID_LOOP
#define LOOPSCOPE_DRAW
#define LOOPSCOPE_WAIT(NAME)
#define LOOPSCOPE_COLLECTIVE(NAME)
#define LOOPSCOPE_COLLECTIVE_BYTES(NAME, BYTES)
#define LOOPSCOPE_FLOPS(FLOPS)
#define LOOPSCOPE_ITERATIONS(COUNT)
#define LOOPSCOPE_KEY(EXPRESSION)
#define LOOPSCOPE_KEY_NAMED(LABEL, EXPRESSION)
#define LOOPSCOPE_IGNORE

#endif

#endif /* LOOPSCOPE_ANNOTATE_H */
