// Writes a recording whose records are made from NVIDIA's own structures: a
// stand-in until one is recorded on a GPU.
//
//   make_recording FILE
#include "Recording.h"

#include <cuda.h>
#include <cupti.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {
std::FILE *File = nullptr;
constexpr uint64_t Ms = 1000000;
constexpr uint64_t KernelName = 0x1000, DeviceName = 0x2000;

void write(recording::ItemType Type, std::string Contents) {
  Contents.resize((Contents.size() + 7) / 8 * 8);
  recording::Item I = {Type, static_cast<uint32_t>(Contents.size())};
  std::fwrite(&I, sizeof(I), 1, File);
  std::fwrite(Contents.data(), 1, Contents.size(), File);
}

template <typename T> std::string bytes(const T &Value) {
  return {reinterpret_cast<const char *>(&Value), sizeof(Value)};
}

void callSite(uint64_t Time, uint32_t Site, uint32_t Domain, uint32_t Id,
              uint32_t Correlation, const std::string &Name) {
  recording::Call C = {
      Time, Site, Domain, Id, Correlation,
      1,    static_cast<uint32_t>(Name.size())};
  write(recording::CallItem, bytes(C) + Name);
}

// A call of CUDA's runtime, and the driver's inside it, which has the same id.
void call(uint64_t Time, uint32_t Id, uint32_t Correlation,
          const std::string &Name, uint32_t Inner,
          const std::string &InnerName) {
  callSite(Time, CUPTI_API_ENTER, 2, Id, Correlation, Name);
  callSite(Time, CUPTI_API_ENTER, 1, Inner, Correlation, InnerName);
  callSite(Time + 1000, CUPTI_API_EXIT, 1, Inner, Correlation, InnerName);
  callSite(Time + 1000, CUPTI_API_EXIT, 2, Id, Correlation, Name);
}

void name(uint64_t Address, const std::string &Text) {
  recording::Name N = {Address, Text.size()};
  write(recording::NameItem, bytes(N) + Text);
}

template <typename T> T record(CUpti_ActivityKind Kind) {
  T R;
  std::memset(&R, 0, sizeof(R));
  R.kind = Kind;
  return R;
}
} // namespace

int main(int /*Count*/, char **Arguments) {
  File = std::fopen(Arguments[1], "wb");
  recording::Header H = {};
  std::memcpy(H.Magic, recording::Magic, sizeof(H.Magic));
  H.CuptiVersion = CUPTI_API_VERSION;
  std::fwrite(&H, sizeof(H), 1, File);

  call(1 * Ms, 211, 11, "cudaLaunchKernel", 307, "cuLaunchKernel");
  call(2 * Ms, 41, 12, "cudaMemcpyAsync", 306, "cuMemcpyAsync");
  call(3 * Ms, 51, 13, "cudaMemsetAsync", 216, "cuMemsetD8Async");
  call(4 * Ms, 311, 14, "cudaGraphLaunch", 514, "cuGraphLaunch");
  name(KernelName, "_Z5layerPf");
  name(DeviceName, "Synthetic GPU");

  auto Device = record<CUpti_ActivityDevice5>(CUPTI_ACTIVITY_KIND_DEVICE);
  Device.id = 0;
  Device.name = reinterpret_cast<const char *>(DeviceName);
  Device.numMultiprocessors = 132;
  Device.computeCapabilityMajor = 9;
  Device.maxWarpsPerMultiprocessor = 64;
  Device.maxBlocksPerMultiprocessor = 32;
  Device.maxRegistersPerMultiprocessor = 65536;
  Device.maxSharedMemoryPerMultiprocessor = 233472;
  std::string Records = bytes(Device);

  auto Kernel =
      record<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  Kernel.name = reinterpret_cast<const char *>(KernelName);
  Kernel.correlationId = 11;
  Kernel.start = 5 * Ms;
  Kernel.end = 7 * Ms;
  Kernel.gridX = 264;
  Kernel.gridY = Kernel.gridZ = Kernel.blockY = Kernel.blockZ = 1;
  Kernel.blockX = 256;
  Kernel.registersPerThread = 32;
  Records += bytes(Kernel);
  Kernel.correlationId = 14;
  Kernel.graphId = 3;
  Kernel.graphNodeId = 0x300000001;
  Kernel.start = 7 * Ms;
  Kernel.end = 10 * Ms;
  Records += bytes(Kernel);

  auto Copy = record<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
  Copy.correlationId = 12;
  Copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
  Copy.bytes = 4096;
  Copy.start = 10 * Ms;
  Copy.end = 11 * Ms;
  Records += bytes(Copy);

  auto Set = record<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
  Set.correlationId = 13;
  Set.bytes = 512;
  Set.start = 11 * Ms;
  Set.end = 12 * Ms;
  Records += bytes(Set);

  auto Peer = record<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2);
  Peer.correlationId = 12;
  Peer.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  Peer.bytes = 64;
  Peer.start = 12 * Ms;
  Peer.end = 13 * Ms;
  Records += bytes(Peer);

  auto Overhead = record<CUpti_ActivityOverhead3>(CUPTI_ACTIVITY_KIND_OVERHEAD);
  Overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING;
  Overhead.start = 13 * Ms;
  Overhead.end = 15 * Ms;
  Records += bytes(Overhead);

  const uint32_t Sizes[8] = {sizeof(Device),  sizeof(Kernel), sizeof(Kernel),
                             sizeof(Copy),    sizeof(Set),    sizeof(Peer),
                             sizeof(Overhead)};
  recording::Buffer B = {20 * Ms, 7, static_cast<uint32_t>(Records.size())};
  write(recording::BufferItem, bytes(B) + bytes(Sizes) + Records);
  return std::fclose(File);
}
