/* A program whose phases last until the sampler has read them N times, according to the profile:
 * nothing here depends on the machine's speed. */
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* The profile's header, mapped; NULL before the first hook. */
static const volatile struct loopscope_profile_header *profile(const char *path) {
  int file = open(path, O_RDONLY);
  if (file < 0)
    return NULL;
  void *page = mmap(NULL, LOOPSCOPE_PROFILE_PAGE, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return page == MAP_FAILED ? NULL : page;
}

/* Waits for COUNT more rounds; at most a minute. */
static inline int wait_for_rounds(const char *path, unsigned count) {
  const volatile struct loopscope_profile_header *header = profile(path);
  if (header == NULL)
    return 0;
  uint64_t until = header->sampler_rounds + count;
  for (int i = 0; i < 60000 && header->sampler_rounds < until; ++i) {
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
  }
  return header->sampler_rounds >= until;
}
