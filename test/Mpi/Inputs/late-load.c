/* A program without MPI that loads a library with MPI. LIBRARY's symbols stay private. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*work)(void) = library ? (int (*)(void))dlsym(library, "work") : NULL;
  if (work == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  return work();
}
