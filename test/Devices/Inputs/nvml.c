/* A fake NVML with two GPUs. FAKE_NVML is a list of failures:
 *   driver      nvmlInit fails: no driver
 *   count       the GPUs can't be counted: no permission
 *   second      GPU 1 has no handle: no permission
 *   mig         GPU 0 is split by MIG, so it has no utilisation
 *   power       no permission to read power
 *   bare        only memory is supported
 *   lost        GPU 1 is lost at its third reading
 */
#include <stdlib.h>
#include <string.h>

enum { SUCCESS, NOT_SUPPORTED = 3, NO_PERMISSION, DRIVER_NOT_LOADED = 9, GPU_IS_LOST = 15 };
struct utilization {
  unsigned gpu, memory;
};
struct memory {
  unsigned long long total, free, used;
};
static int readings[2];

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
  *megahertz = clock == 1 ? 1980 : clock == 2 ? 2619 : 0;
  return is("bare") ? NOT_SUPPORTED : SUCCESS;
}
