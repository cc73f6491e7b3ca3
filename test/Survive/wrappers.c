// A program may wrap libc's functions, with phases in the wrappers: they see the
// program's own calls, and none of the runtime's.
// RUN: env SURVIVE_OPTIONS=devices=10ms %survive_c
// RUN: %calls | FileCheck %s
// RUN: count 0 < %t.err
// CHECK-DAG: {{^}}thread,4{{$}}
// CHECK-DAG: {{^}}pthread_create,4{{$}}
// CHECK-DAG: {{^}}mutex_lock,404{{$}}
#define _GNU_SOURCE
#include "survive.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int calls[8];
#define NEXT(NAME) ((__typeof__(&NAME))dlsym(RTLD_NEXT, #NAME))
#define COUNT(WHICH) __atomic_fetch_add(&calls[WHICH], 1, __ATOMIC_RELAXED)

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*body)(void *), void *argument) {
  PHASE(1, "pthread_create");
  COUNT(0);
  return NEXT(pthread_create)(thread, attributes, body, argument);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  PHASE(2, "mutex_lock");
  COUNT(1);
  return NEXT(pthread_mutex_lock)(mutex);
}

void *mmap(void *at, size_t size, int protection, int flags, int file,
           off_t offset) {
  PHASE(3, "mmap");
  COUNT(2);
  return NEXT(mmap)(at, size, protection, flags, file, offset);
}

int open(const char *path, int flags, ...) {
  PHASE(4, "open");
  COUNT(3);
  return NEXT(open)(path, flags, 0666);
}

ssize_t write(int file, const void *data, size_t size) {
  PHASE(5, "write");
  COUNT(4);
  return NEXT(write)(file, data, size);
}

int clock_gettime(clockid_t id, struct timespec *time) {
  PHASE(6, "clock_gettime");
  COUNT(5);
  return NEXT(clock_gettime)(id, time);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *body(void *argument) {
  PHASE(7, "thread");
  for (int i = 0; i < 100; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_create(&threads[i], NULL, body, NULL);
  }
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  close(open("/dev/null", 0));
  write(1, "written\n", 8);
  usleep(30000);
  printf("%d %d %d %d %d %d\n", calls[0], calls[1], calls[2], calls[3],
         calls[4], calls[5]);
}
