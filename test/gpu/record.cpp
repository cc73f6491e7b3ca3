// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records CUPTI's data on a real GPU, for the replay library.
//
//   g++ -std=c++20 -shared -fPIC -I CUDA/include -I CUDA/extras/CUPTI/include
//       -I test/replay test/gpu/record.cpp -o librecord.so -L CUPTI/LIB -lcupti
//   CUDA_INJECTION64_PATH=$PWD/librecord.so LOOPSCOPE_RECORDING=FILE PROGRAM
//
// Enables the same kinds as the runtime, and those of RECORD_KINDS ("53,56"), and
// writes calls, names and buffers in order of arrival. Any program can be recorded; keep it short (every call is
// an item).

#include "Recording.h"

#include <cuda.h>
#include <cupti.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {
constexpr size_t BufferBytes = size_t(512) * 1024;

std::mutex Mutex;
std::FILE *File = nullptr;
std::set<const char *> KnownNames;

// Writes an item of two parts, padded. Mutex held.
void write(recording::ItemType Type, const void *Fixed, size_t FixedBytes,
           const void *Rest, size_t RestBytes) {
  static constexpr char Zeros[8] = {};
  size_t Padding = (8 - (FixedBytes + RestBytes) % 8) % 8;
  recording::Item I = {Type,
                       static_cast<uint32_t>(FixedBytes + RestBytes + Padding)};
  std::fwrite(&I, sizeof(I), 1, File);
  std::fwrite(Fixed, 1, FixedBytes, File);
  std::fwrite(Rest, 1, RestBytes, File);
  std::fwrite(Zeros, 1, Padding, File);
}

void check(CUptiResult Code, const char *What) {
  if (Code == CUPTI_SUCCESS)
    return;
  const char *Text = "";
  cuptiGetResultString(Code, &Text);
  std::fprintf(stderr, "record: %s: %s\n", What, Text);
  std::exit(1);
}

void writeName(const char *Name) {
  if (Name == nullptr || !KnownNames.insert(Name).second)
    return;
  recording::Name N = {reinterpret_cast<uint64_t>(Name), std::strlen(Name)};
  write(recording::NameItem, &N, sizeof(N), Name, N.Length);
}

void noteGraphNode(CUpti_CallbackId Id, const CUpti_ResourceData &Data) {
  const auto *Graph =
      static_cast<const CUpti_GraphData *>(Data.resourceDescriptor);
  recording::GraphNode N = {};
  cuptiGetTimestamp(&N.Time);
  N.Event = Id;
  N.Thread = static_cast<uint32_t>(syscall(SYS_gettid));
  cuptiGetGraphNodeId(Graph->node, &N.Id);
  if (Id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED)
    cuptiGetGraphNodeId(Graph->originalNode, &N.Original);
  std::lock_guard Lock(Mutex);
  write(recording::GraphNodeItem, &N, sizeof(N), "", 0);
}

void onCall(void * /*Data*/, CUpti_CallbackDomain Domain, CUpti_CallbackId Id,
            const void *CallbackData) {
  if (Domain == CUPTI_CB_DOMAIN_RESOURCE) {
    noteGraphNode(Id, *static_cast<const CUpti_ResourceData *>(CallbackData));
    return;
  }
  if (Domain != CUPTI_CB_DOMAIN_DRIVER_API &&
      Domain != CUPTI_CB_DOMAIN_RUNTIME_API)
    return;
  const auto &D = *static_cast<const CUpti_CallbackData *>(CallbackData);
  recording::Call C = {};
  cuptiGetTimestamp(&C.Time);
  C.Site = D.callbackSite;
  C.Domain = Domain;
  C.Id = Id;
  C.Correlation = D.correlationId;
  C.Thread = static_cast<uint32_t>(syscall(SYS_gettid));
  C.NameLength = static_cast<uint32_t>(std::strlen(D.functionName));
  std::lock_guard Lock(Mutex);
  write(recording::CallItem, &C, sizeof(C), D.functionName, C.NameLength);
}

void request(uint8_t **Buffer, size_t *Size, size_t *Records) {
  *Buffer = static_cast<uint8_t *>(std::aligned_alloc(8, BufferBytes));
  *Size = BufferBytes;
  *Records = 0;
}

void complete(CUcontext /*Context*/, uint32_t /*Stream*/, uint8_t *Buffer,
              size_t /*Size*/, size_t Valid) {
  std::lock_guard Lock(Mutex);
  recording::Buffer B = {};
  cuptiGetTimestamp(&B.Time);
  std::vector<const uint8_t *> Starts;
  CUpti_Activity *Record = nullptr;
  while (Valid != 0 &&
         cuptiActivityGetNextRecord(Buffer, Valid, &Record) == CUPTI_SUCCESS) {
    Starts.push_back(reinterpret_cast<const uint8_t *>(Record));
    if (Record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      writeName(reinterpret_cast<CUpti_ActivityKernel9 *>(Record)->name);
    else if (Record->kind == CUPTI_ACTIVITY_KIND_DEVICE)
      writeName(reinterpret_cast<CUpti_ActivityDevice4 *>(Record)->name);
  }
  if (!Starts.empty()) {
    std::vector<uint32_t> Sizes;
    for (size_t I = 0; I < Starts.size(); ++I)
      Sizes.push_back(static_cast<uint32_t>(
          (I + 1 < Starts.size() ? Starts[I + 1] : Buffer + Valid) -
          Starts[I]));
    B.Count = static_cast<uint32_t>(Sizes.size());
    B.Bytes = static_cast<uint32_t>(Buffer + Valid - Starts[0]);
    Sizes.resize(Sizes.size() + Sizes.size() % 2);
    std::vector<uint8_t> Rest(Sizes.size() * sizeof(uint32_t) + B.Bytes);
    std::memcpy(Rest.data(), Sizes.data(), Sizes.size() * sizeof(uint32_t));
    std::memcpy(Rest.data() + Sizes.size() * sizeof(uint32_t), Starts[0],
                B.Bytes);
    write(recording::BufferItem, &B, sizeof(B), Rest.data(), Rest.size());
  }
  std::free(Buffer);
}

void finish() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  std::lock_guard Lock(Mutex);
  std::fclose(File);
}
} // namespace

// CUDA calls it when it starts.
extern "C" int InitializeInjection() {
  const char *Path = std::getenv("LOOPSCOPE_RECORDING");
  File = Path == nullptr ? nullptr : std::fopen(Path, "wb");
  if (File == nullptr) {
    std::fprintf(stderr, "record: set LOOPSCOPE_RECORDING to a new file\n");
    return 0;
  }
  recording::Header H = {};
  std::memcpy(H.Magic, recording::Magic, sizeof(H.Magic));
  check(cuptiGetVersion(&H.CuptiVersion), "cuptiGetVersion");
  std::fwrite(&H, sizeof(H), 1, File);
  CUpti_SubscriberHandle Subscriber = nullptr;
  check(cuptiSubscribe(&Subscriber, onCall, nullptr), "cuptiSubscribe");
  check(cuptiActivityRegisterCallbacks(request, complete),
        "cuptiActivityRegisterCallbacks");
  for (CUpti_ActivityKind Kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_MEMCPY2,
        CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_DEVICE,
        CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_MEMORY2})
    check(cuptiActivityEnable(Kind), "cuptiActivityEnable");
  const char *Further = std::getenv("RECORD_KINDS");
  for (char *End = nullptr; Further != nullptr && *Further != 0; Further = End) {
    const long Kind = std::strtol(Further, &End, 10);
    if (End == Further)
      break;
    check(cuptiActivityEnable(static_cast<CUpti_ActivityKind>(Kind)),
          "cuptiActivityEnable");
    End += *End == ',' ? 1 : 0;
  }
  for (CUpti_CallbackDomain Domain :
       {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API})
    check(cuptiEnableDomain(1, Subscriber, Domain), "cuptiEnableDomain");
  for (CUpti_CallbackId Event : {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
                                 CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED})
    check(cuptiEnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_RESOURCE, Event),
          "cuptiEnableCallback");
  std::atexit(finish);
  return 1;
}
