// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks NVML what its readings cost, how old they are, and whether they are what
// known loads must give. Prints one line for each answer; with FILE as its
// argument, writes the readings of a square wave there as CSV.
//
// The declarations follow NVIDIA's documentation, not its header.

#include "loads.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace {
using Clock = std::chrono::steady_clock;
double seconds() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}
void pause(double s) {
  std::this_thread::sleep_for(std::chrono::duration<double>(s));
}

using Device = void *;
using Sample = void *;
struct Metric {
  unsigned id;
  int result;
  double value;
  const char *names[3];
};
struct Metrics {
  unsigned version, count;
  Sample first, second;
  Metric all[512]; // more than any version's
};
struct Support {
  unsigned version, supported;
};
struct Field {
  unsigned id, scope;
  long long timestamp, latency;
  int type, result;
  union {
    double real;
    unsigned small;
    unsigned long long large;
  } value;
};
static_assert(sizeof(Field) == 40 && sizeof(Metric) == 40);

struct Nvml {
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  template <typename Type> void find(Type &into, const char *name) {
    into = reinterpret_cast<Type>(library ? dlsym(library, name) : nullptr);
    if (into == nullptr)
      std::printf("no %s\n", name);
  }
  int (*init)();
  int (*device)(unsigned, Device *);
  int (*driver)(char *, unsigned);
  int (*gpmSupport)(Device, Support *);
  int (*gpmStreaming)(Device, unsigned *);
  int (*alloc)(Sample *);
  int (*sample)(Device, Sample);
  int (*metrics)(Metrics *);
  int (*energy)(Device, unsigned long long *);
  int (*power)(Device, unsigned *);
  int (*utilization)(Device, unsigned *);
  int (*memory)(Device, unsigned long long *);
  int (*clock)(Device, unsigned, unsigned *);
  int (*reasons)(Device, unsigned long long *);
  int (*temperature)(Device, unsigned, unsigned *);
  int (*fields)(Device, int, Field *);
  Nvml() {
    find(init, "nvmlInit_v2");
    find(device, "nvmlDeviceGetHandleByIndex_v2");
    find(driver, "nvmlSystemGetNVMLVersion");
    find(gpmSupport, "nvmlGpmQueryDeviceSupport");
    find(gpmStreaming, "nvmlGpmQueryIfStreamingEnabled");
    find(alloc, "nvmlGpmSampleAlloc");
    find(sample, "nvmlGpmSampleGet");
    find(metrics, "nvmlGpmMetricsGet");
    find(energy, "nvmlDeviceGetTotalEnergyConsumption");
    find(power, "nvmlDeviceGetPowerUsage");
    find(utilization, "nvmlDeviceGetUtilizationRates");
    find(memory, "nvmlDeviceGetMemoryInfo");
    find(clock, "nvmlDeviceGetClockInfo");
    find(reasons, "nvmlDeviceGetCurrentClocksEventReasons");
    find(temperature, "nvmlDeviceGetTemperature");
    find(fields, "nvmlDeviceGetFieldValues");
  }
};

template <typename Call> void cost(const char *name, Call call) {
  std::vector<double> all;
  int code = 0;
  for (int i = 0; i < 200; ++i) {
    const double start = seconds();
    code = call();
    all.push_back(seconds() - start);
  }
  std::sort(all.begin(), all.end());
  std::printf("cost of %s: code %d, median %.1f us, 99 %% %.1f us, most %.1f "
              "us\n",
              name, code, all[100] * 1e6, all[198] * 1e6, all[199] * 1e6);
}

double ownSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

// The same as it is for a sampler: 20 calls, 175 ms apart, by wall clock and
// processor time.
template <typename Call> void pacedCost(const char *name, Call call) {
  std::vector<double> walls, cpus;
  for (int i = 0; i < 20; ++i) {
    pause(0.175);
    const double start = seconds(), own = ownSeconds();
    call();
    cpus.push_back(ownSeconds() - own);
    walls.push_back(seconds() - start);
  }
  std::sort(walls.begin(), walls.end());
  std::sort(cpus.begin(), cpus.end());
  std::printf("paced cost of %s: median %.1f us (%.1f of CPU time), most "
              "%.1f (%.1f)\n",
              name, walls[10] * 1e6, cpus[10] * 1e6, walls[19] * 1e6,
              cpus[19] * 1e6);
}

constexpr unsigned Asked[] = {1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20, 21};

// The metrics between two samples; NaN where there is none.
std::vector<double> between(const Nvml &nvml, Sample first, Sample second) {
  static Metrics request;
  std::memset(&request, 0, sizeof(request));
  request.version = 1;
  request.first = first;
  request.second = second;
  for (unsigned id : Asked)
    request.all[request.count++].id = id;
  const int code = nvml.metrics(&request);
  std::vector<double> values;
  for (unsigned i = 0; i < request.count; ++i)
    values.push_back(code == 0 && request.all[i].result == 0
                         ? request.all[i].value
                         : NAN);
  return values;
}

void printMetrics(const char *load, const std::vector<double> &values) {
  std::printf("load %-12s", load);
  for (size_t i = 0; i < values.size(); ++i)
    std::printf(" %u:%.2f", Asked[i], values[i]);
  std::printf("\n");
}

// Runs WORK again and again for two seconds; prints the metrics of the middle,
// and the rate, whose unit is in NAME.
template <typename Work>
void load(const Nvml &nvml, Device device, const char *name, double amount,
          Work work) {
  Sample samples[2];
  nvml.alloc(&samples[0]);
  nvml.alloc(&samples[1]);
  unsigned long long joules[2] = {};
  const double start = seconds();
  double times[2] = {};
  long rounds = 0;
  int taken = 0;
  for (double now = start; now - start < 2.4; now = seconds(), ++rounds) {
    if ((taken == 0 && now - start > 0.7) || (taken == 1 && now - start > 2)) {
      nvml.sample(device, samples[taken]);
      nvml.energy(device, &joules[taken]);
      times[taken++] = seconds();
    }
    work();
    CHECK(cudaDeviceSynchronize());
  }
  const double took = seconds() - start;
  printMetrics(name, between(nvml, samples[0], samples[1]));
  unsigned long long reasons = 0;
  unsigned sm = 0;
  nvml.reasons(device, &reasons);
  nvml.clock(device, 1, &sm);
  std::printf("  rate %.4g a second, %.1f W, SM clock %u MHz, reasons %#llx\n",
              static_cast<double>(rounds) * amount / took,
              static_cast<double>(joules[1] - joules[0]) * 1e-3 /
                  (times[1] - times[0]),
              sm, reasons);
  std::fflush(stdout);
}

void loads(const Nvml &nvml, Device device, int sms) {
  load(nvml, device, "idle", 0, [] { pause(0.01); });
  load(nvml, device, "spin-all", 0,
       [&] { spin<<<sms, 64>>>(20000000); });
  load(nvml, device, "spin-quarter", 0,
       [&] { spin<<<sms / 4, 64>>>(20000000); });
  constexpr size_t Bytes = size_t(2) << 30;
  char *to, *from, *host;
  CHECK(cudaMalloc(&to, Bytes));
  CHECK(cudaMalloc(&from, Bytes));
  CHECK(cudaMallocHost(&host, Bytes / 8));
  load(nvml, device, "stream-bytes", 2.0 * Bytes, [&] {
    stream<<<sms * 8, 512>>>(reinterpret_cast<float4 *>(to),
                             reinterpret_cast<float4 *>(from), Bytes / 16);
  });
  // 4 products of 16 x 16 x 16 by each of 8 warps.
  const double flops = 2.0 * 16 * 16 * 16 * 4 * 8 * 100000 * sms * 2;
  load(nvml, device, "mma-flop", flops, [&] {
    multiply<<<sms * 2, 256>>>(100000, reinterpret_cast<float *>(to));
  });
  load(nvml, device, "to-device-bytes", Bytes / 8.0, [&] {
    CHECK(cudaMemcpy(to, host, Bytes / 8, cudaMemcpyHostToDevice));
  });
  load(nvml, device, "to-host-bytes", Bytes / 8.0, [&] {
    CHECK(cudaMemcpy(host, to, Bytes / 8, cudaMemcpyDeviceToHost));
  });
}

// Half a second of work, half a second of none, six times; what is read every
// 2 ms: the metrics since the first sample, energy and power.
void squareWave(const Nvml &nvml, Device device, int sms, const char *path) {
  std::FILE *file = std::fopen(path, "w");
  if (file == nullptr)
    return;
  std::atomic<bool> over{false}, working{false};
  std::thread worker([&] {
    CHECK(cudaSetDevice(0));
    while (!over) {
      if (working) {
        spin<<<sms, 64>>>(2000000);
        CHECK(cudaDeviceSynchronize());
      } else {
        pause(0.0005);
      }
    }
  });
  Sample first, now;
  nvml.alloc(&first);
  nvml.alloc(&now);
  nvml.sample(device, first);
  const double start = seconds();
  std::fprintf(file, "s,working,code,elapsed_sm,energy_mj,power_mw,instant_mw,"
                     "utilization\n");
  for (double s = 0; s < 6; s = seconds() - start) {
    working = std::fmod(s, 1.0) < 0.5;
    const int code = nvml.sample(device, now);
    const double at = seconds() - start;
    const std::vector<double> values = between(nvml, first, now);
    unsigned long long energy = 0;
    unsigned power = 0, utilization[2] = {};
    Field instant = {};
    instant.id = 186;
    nvml.energy(device, &energy);
    nvml.power(device, &power);
    nvml.fields(device, 1, &instant);
    nvml.utilization(device, utilization);
    std::fprintf(file, "%.6f,%d,%d,%.9g,%llu,%u,%u,%u\n", at,
                 static_cast<int>(working.load()), code, values[1], energy,
                 power, instant.value.small, utilization[0]);
    pause(0.002);
  }
  over = true;
  worker.join();
  std::fclose(file);
}

void printFields(const Nvml &nvml, Device device) {
  for (unsigned id : {83U, 185U, 186U, 191U, 138U, 139U, 140U, 141U, 197U, 198U,
                      202U, 204U, 74U, 76U, 77U, 78U, 269U, 270U, 271U}) {
    Field field = {};
    field.id = id;
    field.scope = id >= 138 && id <= 141 ? ~0U : 0;
    nvml.fields(device, 1, &field);
    std::printf("field %u: code %d type %d value %llu latency %lld us\n", id,
                field.result, field.type, field.value.large, field.latency);
  }
}
} // namespace

int main(int count, char **arguments) {
  Nvml nvml;
  Device device = nullptr;
  if (nvml.library == nullptr || nvml.init() != 0 ||
      nvml.device(0, &device) != 0)
    return 1;
  char version[80] = "";
  nvml.driver(version, sizeof(version));
  Support support = {1, 0};
  const int supportCode = nvml.gpmSupport(device, &support);
  unsigned streaming = 0;
  const int streamingCode = nvml.gpmStreaming(device, &streaming);
  std::printf("NVML %s, user %d, GPM code %d supported %u, streaming code %d "
              "%u\n",
              version, static_cast<int>(getuid()), supportCode,
              support.supported, streamingCode, streaming);
  Sample sample = nullptr, other = nullptr;
  std::printf("sample: alloc %d", nvml.alloc(&sample));
  nvml.alloc(&other);
  std::printf(", get %d\n", nvml.sample(device, sample));
  if (count > 2) // only the rights
    return 0;
  cost("GPM sample", [&] { return nvml.sample(device, other); });
  cost("GPM metrics", [&] {
    return std::isnan(between(nvml, sample, other)[1]) ? -1 : 0;
  });
  unsigned words[4];
  unsigned long long longs[8];
  cost("energy", [&] { return nvml.energy(device, longs); });
  cost("power", [&] { return nvml.power(device, words); });
  cost("utilization", [&] { return nvml.utilization(device, words); });
  cost("memory", [&] { return nvml.memory(device, longs); });
  cost("SM clock", [&] { return nvml.clock(device, 1, words); });
  cost("reasons", [&] { return nvml.reasons(device, longs); });
  cost("temperature", [&] { return nvml.temperature(device, 0, words); });
  Field pair[2] = {};
  pair[0].id = 83;
  pair[1].id = 186;
  cost("2 fields", [&] { return nvml.fields(device, 2, pair); });
  printFields(nvml, device);
  cudaDeviceProp facts;
  CHECK(cudaGetDeviceProperties(&facts, 0));
  std::printf("%s, %d SMs\n", facts.name, facts.multiProcessorCount);
  spin<<<facts.multiProcessorCount, 64>>>(30000000000); // about 17 s
  pacedCost("GPM sample and metrics", [&] {
    nvml.sample(device, other);
    between(nvml, sample, other);
    std::swap(sample, other);
  });
  Field held[6] = {};
  const unsigned ids[6] = {186, 74, 269, 270, 271, 78};
  for (int i = 0; i < 6; ++i)
    held[i].id = ids[i];
  pacedCost("6 fields", [&] { nvml.fields(device, 6, held); });
  pacedCost("energy", [&] { nvml.energy(device, longs); });
  pacedCost("SM clock", [&] { nvml.clock(device, 1, words); });
  CHECK(cudaDeviceSynchronize());
  if (count > 1)
    squareWave(nvml, device, facts.multiProcessorCount, arguments[1]);
  loads(nvml, device, facts.multiProcessorCount);
  return 0;
}
