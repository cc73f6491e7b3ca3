// The runtime's threads have enough stack in a program whose thread-local storage, which lies in it, leaves almost none of what
// they would get.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for size in 16 230000 240000 250000 1030000 1040000; do %gcc -DSIZE=$size %runtime_include %s -o work-$size %runtime_lib && env LOOPSCOPE=devices=10,report=none,output=$size.loopscope ./work-$size && loopscope report $size.loopscope --view devices --format csv > $size.csv && grep -q host $size.csv || exit 1; done
#include <dirent.h>
#include <loopscope/hooks.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static __thread char storage[SIZE];

// How often the sampler's thread has run.
static long samplersTurns(void) {
  long turns = 0;
  DIR *threads = opendir("/proc/self/task");
  for (struct dirent *each; threads && (each = readdir(threads));) {
    char path[300], name[20] = "";
    snprintf(path, sizeof(path), "/proc/self/task/%s/comm", each->d_name);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%19s", name) == 1 && strcmp(name, "loopscope") == 0) {
      fclose(file);
      snprintf(path, sizeof(path), "/proc/self/task/%s/schedstat", each->d_name);
      file = fopen(path, "r");
      if (file && fscanf(file, "%*s %*s %ld", &turns) != 1)
        turns = 0;
    }
    if (file)
      fclose(file);
  }
  if (threads)
    closedir(threads);
  return turns;
}

int main(void) {
  storage[SIZE / 2] = 1;
  __LOOPSCOPE_SPAN(1, PHASE, "work", 18, "main");
  // A busy machine may let the sampler wait.
  struct timespec time = {0, 150000000};
  int waited = 0;
  do
    nanosleep(&time, 0);
  while (samplersTurns() < 5 && ++waited < 100);
  return storage[SIZE / 2] != 1;
}
