/* A fake CUDA driver with one device: the one on the second bus, as with CUDA_VISIBLE_DEVICES. Not
 * initialised before the third query. */
#include <string.h>

int cuDeviceGetCount(int *count) {
  static int questions;
  *count = 1;
  return ++questions < 3 ? 3 : 0;
}
int cuDeviceGet(int *device, int ordinal) {
  *device = 100 + ordinal;
  return 0;
}
int cuDeviceGetPCIBusId(char *id, int length, int device) {
  strncpy(id, device == 100 ? "0000:02:00.0" : "0000:01:00.0", (unsigned)length);
  return 0;
}
/* Makes the program depend on this library. */
int cuInit(unsigned flags) { return (int)flags; }
