// A program that wasn't built with Loopscope: `loopscope run` finds its main loop, the calls in
// it and their shares, by samples alone. The program's output and exit code are its own.
// REQUIRES: x86, libdw
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -g %s -o train
// RUN: sh -c 'loopscope run --format json -o found.json -- ./train 7 > out 2> err; echo "code $?" >> out'
// RUN: printf 'done\ncode 7\n' | cmp out - && test ! -s err
// RUN: %python %S/Inputs/check_loops.py found.json train 47 backward=60 forward=30 load_batch=10

// The same without debug information and without symbols: functions, but no loop.
// RUN: %gcc -O2 %s -o bare && loopscope run --format json -o bare.json -- ./bare && %python %S/Inputs/check_loops.py bare.json main -
// RUN: strip bare -o stripped && loopscope run -- ./stripped | FileCheck %s --check-prefix=STRIPPED
// STRIPPED: The time splits in stripped+0x{{[0-9a-f]+}}() ({{[0-9.]+}}% of all samples).
// STRIPPED: The program has no debug information, so there are no lines and no loops: build it with -g to see them.
// STRIPPED: {{^}}Profiler's own cost: not measured, {{[0-9]+}} samples.{{$}}

// Time that doesn't split has no loop, and lines all the same. A view that needs more than samples
// is refused, with an exit code of its own.
// RUN: %gcc -O2 -g -DFLAT %s -o flat && loopscope run -- ./flat | FileCheck %s --check-prefix=FLAT --implicit-check-not="debug information" --implicit-check-not="loopscope suggest"
// FLAT: No loop stands out: the time doesn't split over several calls of one function.
// RUN: sh -c 'loopscope run --view tree -- ./flat; echo "code $?"' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: flat.{{[0-9]+}}.loopscope: {{.*}}only sampled
// REFUSED: {{^}}code 2{{$}}

// The rules for the next build select what was found.
// RUN: loopscope report train.*.loopscope | FileCheck %s --check-prefix=OUTER
// RUN: loopscope suggest train.*.loopscope -o loops.yaml && FileCheck %s --check-prefix=RULES --input-file=loops.yaml
// OUTER: {{^}}Likely main loop: the loop in train(), run-unprepared.c:47 ({{[0-9.]+}}% of all samples). It is inside the loop at line 45.{{$}}
// RULES: # Guessed from {{[0-9]+}} samples of {{.*}}/train.
// RULES: {{^}}  - { kind: train, in: "train", loop: 2 }{{$}}
// RULES-NEXT: {{^}}  # around it: loop 1, line 45{{$}}
// RULES: {{^}}  - { kind: phase, name: "backward", in: "train", call: "backward" }{{$}}
// RULES: {{^}}  - { kind: phase, name: "forward", in: "train", call: "forward" }{{$}}
// RUN: not loopscope suggest bare.*.loopscope 2>&1 | FileCheck %s --check-prefix=NORULES
// NORULES: error: bare.{{[0-9]+}}.loopscope: names no lines, because the program has no debug information or libdw is missing; build it with -g and run it again
// Of a program that was built anew, nothing is known, and its debug information isn't what lacks.
// RUN: %gcc -O1 -g %s -o train && loopscope report train.*.loopscope | FileCheck %s --check-prefix=ANEW --implicit-check-not="debug information"
// ANEW: {{^}}Changed since the run, so without names: {{.*}}/train.{{$}}
// RUN: not loopscope suggest train.*.loopscope 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: train.{{[0-9]+}}.loopscope: names no lines. Changed since the run, so without names: {{.*}}/train. Run it again{{$}}
// RUN: rm train && loopscope report train.*.loopscope | FileCheck %s --check-prefix=GONE --implicit-check-not="debug information"
// GONE: {{^}}Without names, because the file is missing here: {{.*}}/train.{{$}}
#include "Inputs/known-loop.h"

__attribute__((unused)) static void train(int epochs, int steps) {
  for (int e = 0; e < epochs; ++e) {
    printf(e == epochs - 1 ? "done\n" : "");
    for (int i = 0; i < steps; ++i) {
      load_batch();
      forward();
      backward();
    }
  }
}

int main(int argc, char **argv) {
#ifdef FLAT
  burn(200000);
#else
  setup();
  train(4, 150);
#endif
  return argc > 1 ? atoi(argv[1]) : 0;
}
