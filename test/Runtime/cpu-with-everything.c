// Processor times with every other word of LOOPSCOPE=, in a plain program, one
// that forks and one that loads a library: the table is in the script.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %gcc -O1 -Wall -Werror %runtime_include %s -o program %runtime_lib -ldl
// RUN: %gcc -O1 -shared -fPIC -DLIBRARY %runtime_include %s -o library.so %runtime_lib
// RUN: python3 %S/Inputs/cpu_with_everything.py ./program
#include <loopscope/hooks.h>
#include <time.h>

static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void spin(double ms) {
  double end = cpu_ms() + ms;
  while (cpu_ms() < end)
    ;
}

#ifdef LIBRARY
void work(void);
void work(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "library", 1, "work");
  spin(2);
}
#else
#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void train(void (*more)(void)) {
  __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "main");
  for (int step = 0; step < 8; ++step) {
    __LOOPSCOPE_STEP(11, 10);
    {
      __LOOPSCOPE_SPAN(12, PHASE, "sleep", 12, "main");
      usleep(4000);
    }
    {
      __LOOPSCOPE_SPAN(13, PHASE, "spin", 13, "main");
      spin(4);
    }
    if (more)
      more();
  }
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  void *library = NULL;
  void (*more)(void) = NULL;
  if (strcmp(how, "dlopen") == 0) {
    library = dlopen("./library.so", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
      return 1;
    *(void **)&more = dlsym(library, "work");
  }
  pid_t child = strcmp(how, "fork") == 0 ? fork() : 1;
  train(more);
  if (library)
    dlclose(library);
  return child > 1 ? wait(NULL) != child : 0;
}
#endif
