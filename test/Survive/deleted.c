// If the profile is deleted while the program runs, it is written again at exit, with
// everything in it, and two lines say so; if it was moved, it is complete where it is now.
// RUN: %survive_c '-DGONE=unlink(profile)'
// RUN: count 2 < %t.err
// RUN: FileCheck %s --input-file=%t.err
// CHECK: loopscope: the profile [[PROFILE:.*]].loopscope was deleted while the program ran; it is written again
// CHECK-NEXT: loopscope: the profile is [[PROFILE]].loopscope{{$}}
// RUN: %calls | FileCheck %s --check-prefix=CALLS
// CALLS-DAG: {{^}}work,1000{{$}}
// CALLS-DAG: {{^}}new after it,1{{$}}
// The same where new call paths didn't fit into the memory that was there.
// RUN: %survive_c '-DGONE=unlink(profile)' -DDEPTH=100
// RUN: FileCheck %s --input-file=%t.err --check-prefix=GROWS
// GROWS: loopscope: the profile [[PROFILE:.*]].loopscope cannot grow: it was moved or deleted; new call paths are kept in memory, so a crash would lose them
// GROWS-NEXT: loopscope: the profile [[PROFILE]].loopscope was deleted while the program ran; it is written again
// GROWS-NEXT: loopscope: the profile is [[PROFILE]].loopscope{{$}}
// RUN: %calls | FileCheck %s --check-prefix=CALLS
// RUN: %survive_c '-DGONE=move()'
// RUN: not ls %t.loopscope
// RUN: count 1 < %t.err
// RUN: FileCheck %s --input-file=%t.err --check-prefix=MOVED
// MOVED: loopscope: the profile [[PROFILE:.*]].loopscope was moved while the program ran; it is [[PROFILE]].loopscope.there{{$}}
// RUN: mv %t.loopscope.there %t.loopscope
// RUN: %calls | FileCheck %s --check-prefix=CALLS
// RUN: %survive_c '-DGONE=move()' -DDEPTH=100
// RUN: mv %t.loopscope.there %t.loopscope
// RUN: %calls | FileCheck %s --check-prefix=CALLS
// Made read-only: it is mapped, so it is complete.
// RUN: %survive_c '-DGONE=chmod(profile,0444)'
// RUN: count 0 < %t.err
// RUN: %calls | FileCheck %s --check-prefix=CALLS
#include "survive.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *profile;

static inline int move(void) {
  char to[4096];
  snprintf(to, sizeof(to), "%s.there", profile);
  return rename(profile, to);
}

static void down(int levels) {
  PHASE(3, "deep");
  if (levels > 0)
    down(levels - 1);
}

int main(int argc, char **argv) {
  profile = argv[argc - 1];
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
    if (i == 500)
      (void)(GONE != 0);
  }
  {
    PHASE(2, "new after it");
  }
#ifdef DEPTH
  down(DEPTH);
#else
  (void)down;
#endif
  puts("done");
}
