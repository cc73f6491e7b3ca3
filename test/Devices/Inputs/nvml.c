/* A fake NVML with two GPUs. FAKE_NVML is a list of failures:
 *   driver      nvmlInit fails: no driver
 *   count       the GPUs can't be counted: no permission
 *   second      GPU 1 has no handle: no permission
 *   mig         GPU 0 is split by MIG, so it has no utilisation
 *   power       no permission to read power
 *   bare        only memory is supported
 *   lost        GPU 1 is lost at its third reading
 *   no-monitors GPUs before Hopper
 *   no-rights   the monitors can't be read
 *   no-numbers  values that aren't numbers
 *   locked      the SMs run at 1095 MHz while the replay library's CUPTI samples
 * The monitors' values are those that the program said with fake_nvml_use, over the time
 * since then; they are renewed every 100 ms.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SUCCESS, NOT_SUPPORTED = 3, NO_PERMISSION, DRIVER_NOT_LOADED = 9, GPU_IS_LOST = 15 };
struct utilization {
  unsigned gpu, memory;
};
struct memory {
  unsigned long long total, free, used;
};
static int readings[2];
__attribute__((weak)) int replayIsSampling(void);

static int is(const char *word) {
  const char *all = getenv("FAKE_NVML");
  return all != NULL && strstr(all, word) != NULL;
}
static int number(void *device) { return device == &readings[1]; }

int nvmlInit_v2(void) { return is("driver") ? DRIVER_NOT_LOADED : SUCCESS; }

const char *nvmlErrorString(int result) {
  switch (result) {
  case NO_PERMISSION:
    return "Insufficient Permissions";
  case DRIVER_NOT_LOADED:
    return "Driver Not Loaded";
  default:
    return "Unknown Error";
  }
}

int nvmlDeviceGetCount_v2(unsigned *count) {
  *count = 2;
  return is("count") ? NO_PERMISSION : SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
  if (index == 1 && is("second"))
    return NO_PERMISSION;
  *device = &readings[index];
  return SUCCESS;
}

/* GPU 0 is on the second bus. */
int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device) {
  *device = &readings[strcmp(id, "0000:02:00.0") == 0 ? 0 : 1];
  return SUCCESS;
}

int nvmlDeviceGetName(void *device, char *name, unsigned length) {
  strncpy(name, number(device) ? "Second GPU" : "First GPU", length);
  return SUCCESS;
}

int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending) {
  *current = *pending = is("mig") && number(device) == 0;
  return SUCCESS;
}

int nvmlDeviceGetUtilizationRates(void *device, struct utilization *rates) {
  if (is("lost") && number(device) == 1 && ++readings[1] >= 3)
    return GPU_IS_LOST;
  if (is("bare") || (is("mig") && number(device) == 0))
    return NOT_SUPPORTED;
  rates->gpu = number(device) ? 20 : 90;
  rates->memory = number(device) ? 5 : 40;
  return SUCCESS;
}

int nvmlDeviceGetMemoryInfo(void *device, struct memory *memory) {
  memory->total = 80ull << 30;
  memory->used = (number(device) ? 1ull : 60ull) << 30;
  memory->free = memory->total - memory->used;
  return SUCCESS;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts) {
  if (is("bare") || is("power"))
    return is("bare") ? NOT_SUPPORTED : NO_PERMISSION;
  *milliwatts = number(device) ? 70500 : 650000;
  return SUCCESS;
}

int nvmlDeviceGetTemperature(void *device, unsigned sensor, unsigned *degrees) {
  (void)device;
  *degrees = sensor == 0 ? 55 : 0;
  return is("bare") ? NOT_SUPPORTED : SUCCESS;
}

int nvmlDeviceGetClockInfo(void *device, unsigned clock, unsigned *megahertz) {
  (void)device;
  if (clock == 1 && is("locked") && replayIsSampling && replayIsSampling()) {
    *megahertz = 1095;
    return SUCCESS;
  }
  *megahertz = clock == 1 ? 1980 : clock == 2 ? 2619 : 0;
  return is("bare") ? NOT_SUPPORTED : SUCCESS;
}

/* The monitors: each counter is an integral over time, in percent x ns. */
enum { COUNTERS = 4, SM = 0, TENSOR, DRAM, WATTS };
static double rates[COUNTERS], sums[COUNTERS], renewed[COUNTERS];
static long long since, renewed_at;

static long long nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

/* Brings the integrals up to NOW, and those that can be read to the last renewal. The rates are
 * the same since the last call. */
static void integrate_evenly(long long now) {
  const long long period = 100000000, last = now / period * period;
  for (int i = 0; i < COUNTERS; ++i) {
    if (last > renewed_at)
      renewed[i] = sums[i] + rates[i] * (double)(last > since ? last - since : 0);
    sums[i] += rates[i] * (double)(now - since);
  }
  if (last > renewed_at)
    renewed_at = last;
  since = now;
}

/* Rates of a moment to come; 0: there is none. */
static double later[COUNTERS];
static long long later_at;

static void integrate(long long now) {
  if (later_at != 0 && later_at <= now) {
    if (later_at > since)
      integrate_evenly(later_at);
    memcpy(rates, later, sizeof rates);
    later_at = 0;
  }
  integrate_evenly(now);
}

static volatile int lock;
static void enter(void) {
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
  if (since == 0)
    since = nanoseconds();
  integrate(nanoseconds());
}
static void leave(void) { __sync_lock_release(&lock); }

void fake_nvml_use(double sm, double tensor, double dram, double watts) {
  enter();
  rates[SM] = sm, rates[TENSOR] = tensor, rates[DRAM] = dram, rates[WATTS] = watts;
  leave();
}

/* The same from AT on, in nanoseconds of CLOCK_MONOTONIC. */
void fake_nvml_use_from(long long at, double sm, double tensor, double dram, double watts) {
  enter();
  later[SM] = sm, later[TENSOR] = tensor, later[DRAM] = dram, later[WATTS] = watts;
  later_at = at;
  leave();
}

struct sample {
  double values[COUNTERS];
  long long at;
};
struct metric {
  unsigned id;
  int result;
  double value;
  const char *names[3];
};
struct metrics {
  unsigned version, count;
  struct sample *first, *second;
  struct metric all[1]; /* as many as count */
};
struct support {
  unsigned version, supported;
};

int nvmlGpmQueryDeviceSupport(void *device, struct support *support) {
  (void)device;
  support->supported = !is("no-monitors");
  return SUCCESS;
}

int nvmlGpmSampleAlloc(struct sample **sample) {
  *sample = calloc(1, sizeof **sample);
  return SUCCESS;
}

int nvmlGpmSampleGet(void *device, struct sample *into) {
  if (is("no-rights"))
    return NO_PERMISSION;
  enter();
  memcpy(into->values, renewed, sizeof renewed);
  into->at = renewed_at;
  leave();
  if (number(device))
    memset(into->values, 0, sizeof into->values);
  return SUCCESS;
}

static double between(const struct metrics *request, int which) {
  double ns = (double)(request->second->at - request->first->at);
  return (request->second->values[which] - request->first->values[which]) / ns;
}

int nvmlGpmMetricsGet(struct metrics *request) {
  if (request->version != 1)
    return 1;
  for (unsigned i = 0; i < request->count; ++i) {
    struct metric *metric = &request->all[i];
    metric->result = SUCCESS;
    metric->value = metric->id == 2    ? between(request, SM)
                    : metric->id == 5  ? between(request, TENSOR)
                    : metric->id == 10 ? between(request, DRAM)
                                       : 0;
    if (metric->id >= 60)
      metric->result = NOT_SUPPORTED;
    if (is("no-numbers"))
      metric->value = NAN;
  }
  return SUCCESS;
}

struct field {
  unsigned id, scope;
  long long timestamp, latency;
  int type, result;
  union {
    double real;
    unsigned small;
    unsigned long long large;
  } value;
};

int nvmlDeviceGetFieldValues(void *device, int count, struct field *fields) {
  enter();
  for (int i = 0; i < count; ++i) {
    struct field *field = &fields[i];
    field->result = field->id == 83 || field->id == 74 ? SUCCESS : NOT_SUPPORTED;
    field->type = 3;
    /* Watts x ns / 10^6 are millijoules; the power limit holds back half of the time. */
    field->value.large = field->id == 83 ? (unsigned long long)(renewed[WATTS] / 1e6)
                                         : (unsigned long long)renewed_at / 2;
    if (number(device))
      field->value.large = 0;
  }
  leave();
  return SUCCESS;
}
