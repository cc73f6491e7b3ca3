// A sandbox that ends the program if it reads its processor time or faults: with cpu=off
// nothing reads them. Samples do, as documented.
// REQUIRES: plain-words
// RUN: env SURVIVE_OPTIONS=cpu=off,devices=off %survive_c -DREFUSAL=SECCOMP_RET_KILL_PROCESS
// RUN: count 0 < %t.err
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}before,20{{$}}
// CHECK-DAG: {{^}}faultless,20{{$}}
// CHECK-DAG: {{^}}without,20{{$}}
#include "cpu-seccomp.c"
