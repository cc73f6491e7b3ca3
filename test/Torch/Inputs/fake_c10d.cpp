#include "fake_c10d.h"

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

int aoti_torch_get_numel(const at::Tensor *Of, int64_t *Elements) {
  *Elements = Of->Its->Elements;
  return 0;
}
int aoti_torch_get_dtype(const at::Tensor *Of, int32_t *Type) {
  *Type = Of->Its->Type;
  return 0;
}
size_t aoti_torch_dtype_element_size(int32_t Type) { return static_cast<size_t>(Type); }

namespace c10d {
// MEETING=FILE, shared by all ranks: how often any of them has come.
static std::atomic<uint32_t> *meeting() {
  const char *Path = getenv("MEETING");
  if (!Path)
    return nullptr;
  int File = open(Path, O_RDWR | O_CREAT, 0644);
  if (File < 0 || ftruncate(File, 4096) != 0)
    abort();
  void *All = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  close(File);
  return static_cast<std::atomic<uint32_t> *>(All);
}

static bool waitFor(const Ending &End, std::chrono::steady_clock::time_point Began) {
  if (End.Ms >= 0)
    std::this_thread::sleep_until(Began + std::chrono::milliseconds(End.Ms));
  if (End.All)
    while (static_cast<const std::atomic<uint32_t> *>(End.All)->load() < End.Number)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  if (End.Fails)
    throw std::runtime_error("Operation timed out!");
  return true;
}

bool Work::wait(std::chrono::milliseconds) { return waitFor(End, Began); }
bool ProcessGroupGloo::SendWork::wait(std::chrono::milliseconds) { return waitFor(End, Began); }
bool ProcessGroupGloo::RecvWork::wait(std::chrono::milliseconds Timeout) {
  return waitFor(End, Began) && Timeout.count() != 77;
}

ProcessGroupGloo::ProcessGroupGloo(const c10::intrusive_ptr<Store> &, int Rank, int Ranks,
                                   c10::intrusive_ptr<Options>)
    : Rank(Rank), Ranks(Ranks) {}

c10::intrusive_ptr<Work> ProcessGroupGloo::work() {
  static std::atomic<uint32_t> *All = meeting();
  Number += static_cast<uint32_t>(Ranks);
  if (All)
    ++*All;
  return c10::intrusive_ptr<Work>(new Work({Ms, Fails, All, Number}));
}

#define OPERATION(NAME, ...)                                                                                           \
  c10::intrusive_ptr<Work> ProcessGroupGloo::NAME(__VA_ARGS__) { return work(); }
OPERATION(broadcast, Tensors &, const BroadcastOptions &)
OPERATION(allreduce, Tensors &, const AllreduceOptions &)
OPERATION(allreduce_sparse, Tensors &, const AllreduceOptions &)
OPERATION(allreduce_coalesced, Tensors &, const AllreduceCoalescedOptions &)
OPERATION(reduce, Tensors &, const ReduceOptions &)
OPERATION(allgather, Lists &, Tensors &, const AllgatherOptions &)
OPERATION(allgather_coalesced, Lists &, Tensors &, const AllgatherOptions &)
OPERATION(_allgather_base, at::Tensor &, at::Tensor &, const AllgatherOptions &)
OPERATION(all_gather_single, at::Tensor &, at::Tensor &, const AllgatherOptions &)
OPERATION(allgather_into_tensor_coalesced, Tensors &, Tensors &, const AllgatherOptions &)
OPERATION(all_gather_single_coalesced, Tensors &, Tensors &, const AllgatherOptions &)
OPERATION(gather, Lists &, Tensors &, const GatherOptions &)
OPERATION(scatter, Tensors &, Lists &, const ScatterOptions &)
OPERATION(_reduce_scatter_base, at::Tensor &, at::Tensor &, const ReduceScatterOptions &)
OPERATION(reduce_scatter_single, at::Tensor &, at::Tensor &, const ReduceScatterOptions &)
OPERATION(reduce_scatter_tensor_coalesced, Tensors &, Tensors &, const ReduceScatterOptions &)
OPERATION(reduce_scatter_single_coalesced, Tensors &, Tensors &, const ReduceScatterOptions &)
OPERATION(alltoall, Tensors &, Tensors &, const AllToAllOptions &)
OPERATION(alltoall_base, at::Tensor &, at::Tensor &, Counts &, Counts &, const AllToAllOptions &)
OPERATION(recvAnysource, Tensors &, int)
OPERATION(barrier, const BarrierOptions &)

// As LibTorch does it: by another operation, which is part of this one.
c10::intrusive_ptr<Work> ProcessGroupGloo::reduce_scatter(Tensors &Outputs, Lists &, const ReduceScatterOptions &) {
  return allreduce(Outputs, {});
}
c10::intrusive_ptr<Work> ProcessGroupGloo::all_to_all_single(at::Tensor &, at::Tensor &, Counts &Out, Counts &In,
                                                             const AllToAllOptions &) {
  if (Out.size() != 2 || In.size() != 3)
    throw std::invalid_argument("counts");
  return work();
}
c10::intrusive_ptr<Work> ProcessGroupGloo::send(Tensors &, int To, int Tag) {
  if (To < 0 || Tag != 5)
    throw std::invalid_argument("send");
  return c10::intrusive_ptr<Work>(new SendWork({Ms, Fails, nullptr, 0}));
}
c10::intrusive_ptr<Work> ProcessGroupGloo::recv(Tensors &, int From, int Tag) {
  if (From < 0 || Tag != 5)
    throw std::invalid_argument("recv");
  return c10::intrusive_ptr<Work>(new RecvWork({Ms, Fails, nullptr, 0}));
}
void ProcessGroupGloo::monitoredBarrier(const BarrierOptions &, bool All) {
  work()->wait();
  if (All && Fails)
    throw std::runtime_error("a rank is missing");
}

void Reducer::finalize_backward() {
  std::mutex Mutex;
  std::condition_variable Ended;
  bool IsDone = false;
  std::thread Gloo([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(Ms));
    std::lock_guard Held(Mutex);
    IsDone = true;
    Ended.notify_all();
  });
  {
    std::unique_lock Held(Mutex);
    Ended.wait(Held, [&] { return IsDone; });
  }
  Gloo.join();
}
} // namespace c10d

c10d::ProcessGroupGloo *make_group(int Rank, int Ranks) {
  return new c10d::ProcessGroupGloo(c10::intrusive_ptr<c10d::Store>(), Rank, Ranks,
                                    c10::intrusive_ptr<c10d::ProcessGroupGloo::Options>());
}
