/* Prints its number of threads, in a phase. */
#include <dirent.h>
#include <loopscope/hooks.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 8, "main");
  usleep(50000);
  int threads = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *each; tasks != NULL && (each = readdir(tasks)) != NULL;)
    threads += each->d_name[0] != '.';
  printf("%d thread%s\n", threads, threads == 1 ? "" : "s");
}
