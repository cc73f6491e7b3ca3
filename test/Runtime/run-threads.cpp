// The loop that trains may be on another thread than main's, and threads of OpenMP serve others.
// REQUIRES: x86, libdw, long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gxx -O2 -g -pthread -fopenmp %s -o threads
// RUN: loopscope run --format json -o found.json -- ./threads
// RUN: %python %S/Inputs/check_loops.py found.json worker 23 backward=67 forward=33
// RUN: loopscope run --format json -o openmp.json -- env OMP_NUM_THREADS=2 ./threads openmp
// RUN: %python %S/Inputs/check_loops.py openmp.json team 31
// The compiler makes a function of its own of a parallel region, with no place in the source but its lines.
// RUN: rm *.loopscope && loopscope run --no-counts --format json -o region.json -- env OMP_NUM_THREADS=2 ./threads region
// RUN: %python %S/Inputs/check_loops.py region.json region 42 backward=67 forward=33
// RUN: loopscope report threads.*.loopscope | FileCheck %s --check-prefix=SERVING
// SERVING: {{^}}Threads that OpenMP and the like started aren't searched for loops; they have {{[1-9][0-9.]+}}% of all samples.{{$}}
// A compiler that is given a file relative to its folder names it so; the program may run elsewhere.
// RUN: mkdir -p code/src && cp %s code/src/relative.cpp && cp -r %S/Inputs code/src && cd code && %gxx -O2 -g -pthread -fopenmp src/relative.cpp -o ../relative && cd ..
// RUN: loopscope run --no-counts --format json -o relative.json -- ./relative && %python %S/Inputs/check_loops.py relative.json worker 23 backward=67 forward=33
// A main thread that reads and writes more than the other thread trains: each of its loops has less.
// RUN: loopscope run --no-counts --format json -o files.json -- ./threads files && %python %S/Inputs/check_loops.py files.json worker 23 backward=67 forward=33
#include "Inputs/known-loop.h"
#include <thread>

__attribute__((noinline)) static void worker(int steps) {
  load_batch();
  for (int i = 0; i < steps; ++i) {
    forward();
    backward();
  }
}

__attribute__((noinline)) static void team(int steps) {
  load_batch();
  for (int i = 0; i < steps; ++i) {
    forward();
#pragma omp parallel for
    for (int j = 0; j < 8; ++j)
      burn(100);
  }
}

__attribute__((noinline)) static void region(int steps) {
  load_batch();
#pragma omp parallel
  for (int i = 0; i < steps; ++i) {
    forward();
    backward();
  }
}

PART(parse, 400)
PART(check, 200)
PART(print, 600)
__attribute__((noinline)) static void read_items(int items) {
  for (int i = 0; i < items; ++i) {
    parse();
    check();
  }
}
__attribute__((noinline)) static void sort_items(int items) {
  for (int i = 0; i < items; ++i) {
    parse();
    print();
  }
}
__attribute__((noinline)) static void write_items(int items) {
  for (int i = 0; i < items; ++i) {
    print();
    check();
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == 'f') {
    std::thread trains(worker, 750);
    trains.join();
    read_items(675);
    sort_items(405);
    write_items(506);
    return 0;
  }
  if (argc > 1) {
    if (argv[1][0] == 'o')
      team(500);
    else
      region(1500);
    return 0;
  }
  std::thread trains(worker, 500);
  setup();
  trains.join();
}
