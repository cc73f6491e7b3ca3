// Since CUDA 13.3, CUPTI serves several tools: a program's own
// tool and ours both get all calls and all records, in either
// order, and neither uses a CUPTI call that is for single tools.
// RUN: printf '%%s\n' 'cupti 130300' 'truth %t-truth' >%t.scenario
// RUN: %replayed %s && FileCheck %s --check-prefix=OTHER --input-file=%t.out
// RUN: %gpu_records %t.loopscope | FileCheck %s
// RUN: grep '^cupti' %t-truth | sort -u | FileCheck %s --check-prefix=CALLS --match-full-lines
// RUN: printf '%%s\n' 'cupti 130300' 'truth %t-truth' >%t.scenario
// RUN: %replayed %s -DFIRST && FileCheck %s --check-prefix=OTHER --input-file=%t.out
// RUN: %gpu_records %t.loopscope | FileCheck %s && not grep mixed %t-truth
// OTHER: {{^}}20 launches, 20 kernels{{$}}
// CHECK: state on {{.*}} launches 20 records 20 ended
// CHECK: counters{{ *$}}
// CHECK: device 0 {{.*}}Replay device
//      CALLS:cupti cuptiActivityEnableAndDump_v2 RUN
// CALLS-NEXT:cupti cuptiActivityEnable_v2 RUN
// CALLS-NEXT:cupti cuptiActivityEnable_v2 START
// CALLS-NEXT:cupti cuptiActivityFlushAll RUN
// CALLS-NEXT:cupti cuptiActivityRegisterCallbacks_v2 RUN
// CALLS-NEXT:cupti cuptiActivityRegisterCallbacks_v2 START
// CALLS-NEXT:cupti cuptiActivitySetAttribute_v2 RUN
// CALLS-NEXT:cupti cuptiEnableCallback START
// CALLS-NEXT:cupti cuptiEnableDomain START
// CALLS-NEXT:cupti cuptiGetCallbackName START
// CALLS-NEXT:cupti cuptiGetVersion START
// CALLS-NEXT:cupti cuptiSubscribe START
// CALLS-NOT:{{.}}
//
// A tool that insists on being alone, or a driver that
// serves only one: the second tool is told who has CUPTI.
// RUN: printf '%%s\n' 'cupti 130300' >%t.scenario
// RUN: %replayed %s -DFIRST -DALONE && FileCheck %s --check-prefix=SECOND --input-file=%t.err
// RUN: printf '%%s\n' 'cupti 130300' one-subscriber >%t.scenario
// RUN: %replayed %s -DFIRST -DALONE && FileCheck %s --check-prefix=SECOND --input-file=%t.err
// RUN: printf '%%s\n' 'cupti 130100' >%t.scenario
// RUN: %replayed %s -DFIRST -DALONE && FileCheck %s --check-prefix=SECOND --input-file=%t.err
// SECOND: loopscope: no GPU data: CUPTI for another tool is using CUPTI, which serves one at a time
//
// If ours is the only tool on such a machine, it uses the old calls.
// RUN: %replayed %S/Inputs/train.c && %gpu_records %t.loopscope | FileCheck %s --check-prefix=SINGLE
// RUN: printf '%%s\n' 'cupti 130300' one-subscriber >%t.scenario
// RUN: %replayed %S/Inputs/train.c && %gpu_records %t.loopscope | FileCheck %s --check-prefix=SINGLE
// SINGLE: state on {{.*}} launches 20 records 20 ended
#include "gpu.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The part of CUPTI 13.3 that the tool uses. */
struct parameters {
  size_t size;
  const char *name;
  char *old;
  size_t old_size;
  uint8_t several, padding[7];
};
struct callback_data {
  uint32_t site;
};
typedef void (*callback)(void *, uint32_t, uint32_t, const void *);
int cuptiSubscribe_v2(void **, callback, void *, struct parameters *);
int cuptiEnableDomain(uint32_t, void *, uint32_t);
int cuptiActivityEnable_v2(void *, uint32_t, void *);
int cuptiActivityFlushAll(uint32_t);
int cuptiActivityGetNextRecord_v2(void *, uint8_t *, size_t, uint32_t **);
int cuptiActivityRegisterCallbacks_v2(void *,
                                      void (*)(uint8_t **, size_t *, size_t *,
                                               void *),
                                      void (*)(uint8_t *, size_t, size_t,
                                               void *));

static void *subscriber;
static int launches, kernels;

static void called(void *data, uint32_t domain, uint32_t id,
                   const void *call) {
  (void)data;
  if (domain == 2 && id == 211)
    launches += ((const struct callback_data *)call)->site == 0;
}

static void request(uint8_t **buffer, size_t *size, size_t *most, void *more) {
  (void)more;
  *size = 1 << 20;
  *buffer = malloc(*size);
  *most = 0;
}

static void complete(uint8_t *buffer, size_t size, size_t valid, void *more) {
  (void)size, (void)more;
  uint32_t *record = NULL;
  while (cuptiActivityGetNextRecord_v2(subscriber, buffer, valid, &record) == 0)
    kernels += *record == 10;
  free(buffer);
}

#ifdef FIRST
/* Before the runtime starts. */
__attribute__((constructor(101)))
#endif
static void start(void) {
  struct parameters how = {sizeof how, "another tool", NULL, 0, 1, {0}};
#ifdef ALONE
  how.several = 0;
#endif
  if (cuptiSubscribe_v2(&subscriber, called, NULL, &how) != 0) {
    puts("second");
    return;
  }
  cuptiEnableDomain(1, subscriber, 2);
  if (how.several == 0)
    return;
  cuptiActivityRegisterCallbacks_v2(subscriber, request, complete);
  cuptiActivityEnable_v2(subscriber, 10, NULL);
}

int main(void) {
#ifndef FIRST
  start();
#endif
  for (int step = 0; step < 20; ++step) {
    PHASE(1, "step");
    launch("kernel", NULL);
  }
  cudaDeviceSynchronize();
  cuptiActivityFlushAll(1);
  printf("%d launches, %d kernels\n", launches, kernels);
}
