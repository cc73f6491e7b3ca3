/* Kills a program at random moments and checks that its profile holds every
 * span that it had finished by then.
 *
 *   killer PROGRAM DIRECTORY TIMES SEED begun|any
 *
 * PROGRAM gets a file of two 64-bit numbers, which it increments after each
 * span of its phases "work" and "part". Leaves the profiles in DIRECTORY and
 * prints their number. With "begun" a program may finish its first span before
 * its time to live starts. Exits 1 with a line for each profile that lacks a
 * span. SURVIVE_OPTIONS are more words for LOOPSCOPE=. */
#include <loopscope/profile_format.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *map(const char *path, size_t *size) {
  struct stat status;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &status) != 0)
    return NULL;
  *size = (size_t)status.st_size;
  const char *bytes = mmap(NULL, *size, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return bytes == MAP_FAILED ? NULL : bytes;
}

/* Number of spans of the phase at this depth of the tree, over all nodes. */
static uint64_t spans(const char *bytes, size_t size, uint32_t depth) {
  uint64_t sum = 0;
  const struct loopscope_profile_header *header = (const void *)bytes;
  size_t end = header->used_bytes < size ? header->used_bytes : size;
  for (size_t at = header->header_size; at + LOOPSCOPE_PROFILE_PAGE <= end;) {
    const struct loopscope_chunk_header *chunk = (const void *)(bytes + at);
    const struct loopscope_profile_node *node = (const void *)(chunk + 1);
    if (chunk->magic != LOOPSCOPE_CHUNK_MAGIC || chunk->size == 0)
      break;
    for (uint32_t i = 0;
         chunk->type == LOOPSCOPE_CHUNK_NODES && i < chunk->used; ++i)
      if (node[i].state == 1 && node[i].depth == depth)
        sum += node[i].count;
    at += chunk->size;
  }
  return sum;
}

static int check(const char *profile, const volatile uint64_t *done,
                 int *profiles) {
  size_t size = 0;
  const char *bytes = map(profile, &size);
  uint64_t found[2] = {0, 0};
  if (bytes && size >= LOOPSCOPE_PROFILE_PAGE &&
      memcmp(bytes, LOOPSCOPE_PROFILE_MAGIC, 8) == 0) {
    ++*profiles;
    found[0] = spans(bytes, size, 1);
    found[1] = spans(bytes, size, 2);
  }
  int wrong = 0;
  for (int i = 0; i < 2; ++i)
    if (found[i] < done[i] || found[i] > done[i] + 1) {
      fprintf(stderr, "%s: %llu of %llu spans at depth %d\n", profile,
              (unsigned long long)found[i], (unsigned long long)done[i], i + 1);
      wrong = 1;
    }
  if (bytes)
    munmap((void *)bytes, size);
  return wrong;
}

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  char progress[4096], profile[4096], options[8192];
  snprintf(progress, sizeof progress, "%s/progress", argv[2]);
  int file = open(progress, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ftruncate(file, 4096) != 0)
    return 2;
  uint64_t *done =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const char *more = getenv("SURVIVE_OPTIONS");
  srandom((unsigned)atoi(argv[4]));
  int wrong = 0, profiles = 0;
  for (int i = 0; i < atoi(argv[3]); ++i) {
    snprintf(profile, sizeof profile, "%s/%d.loopscope", argv[2], i);
    snprintf(options, sizeof options, "simple,report=none,output=%s%s%s",
             profile, more ? "," : "", more ? more : "");
    done[0] = done[1] = 0;
    pid_t child = fork();
    if (child == 0) {
      setenv("LOOPSCOPE", options, 1);
      execl(argv[1], argv[1], progress, (char *)0);
      _exit(127);
    }
    while (strcmp(argv[5], "begun") == 0 && ((volatile uint64_t *)done)[1] == 0)
      usleep(50);
    usleep((useconds_t)(random() % 6000));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    wrong |= check(profile, done, &profiles);
  }
  unlink(progress);
  printf("%d\n", profiles);
  return wrong;
}
