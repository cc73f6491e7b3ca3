// A replacement for LibTorch's process groups: the names, parameters and results of those of c10d, in all
// versions. An operation takes as long as its group's program says.
#ifndef FAKE_C10D_H
#define FAKE_C10D_H

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace c10 {
namespace detail {
template <typename T> struct intrusive_target_default_null_type {};
} // namespace detail
template <typename T, typename Null = detail::intrusive_target_default_null_type<T>>
class intrusive_ptr {
public:
  intrusive_ptr() = default;
  explicit intrusive_ptr(T *Its) : Its(Its) { ++Its->Count; }
  intrusive_ptr(const intrusive_ptr &Other) : Its(Other.Its) {
    if (Its)
      ++Its->Count;
  }
  intrusive_ptr(intrusive_ptr &&Other) noexcept : Its(Other.Its) { Other.Its = nullptr; }
  ~intrusive_ptr() {
    if (Its && --Its->Count == 0)
      delete Its;
  }
  T *operator->() const { return Its; }

private:
  T *Its = nullptr;
};
} // namespace c10

namespace at {
struct TensorImpl {
  int64_t Elements;
  int32_t Type; // the size of an element
};
class Tensor {
public:
  Tensor(int64_t Elements, int32_t Type) : Its(new TensorImpl{Elements, Type}) {}
  TensorImpl *Its; // never freed
};
} // namespace at

extern "C" int aoti_torch_get_numel(const at::Tensor *, int64_t *);
extern "C" int aoti_torch_get_dtype(const at::Tensor *, int32_t *);
extern "C" size_t aoti_torch_dtype_element_size(int32_t);

namespace c10d {
struct Store {
  int Count = 0;
};
struct AllreduceOptions {};
struct AllreduceCoalescedOptions {};
struct AllgatherOptions {};
struct AllToAllOptions {};
struct BarrierOptions {};
struct BroadcastOptions {};
struct GatherOptions {};
struct ReduceOptions {};
struct ReduceScatterOptions {};
struct ScatterOptions {};

using Tensors = std::vector<at::Tensor>;
using Lists = std::vector<Tensors>;
using Counts = std::vector<int64_t>;

// How an operation ends.
struct Ending {
  int Ms;          // after the operation's start
  bool Fails;      // wait() throws
  const void *All; // the meeting of all ranks; null: there is only this one
  uint32_t Number; // of the meeting
};

class Work {
public:
  explicit Work(Ending End) : End(End), Began(std::chrono::steady_clock::now()) {}
  virtual ~Work() = default;
  virtual bool wait(std::chrono::milliseconds Timeout = std::chrono::milliseconds(0));
  int Count = 0;
  Ending End;
  std::chrono::steady_clock::time_point Began;
};

class ProcessGroupGloo {
public:
  struct Options {
    int Count = 0;
  };
  class SendWork : public Work {
  public:
    using Work::Work;
    bool wait(std::chrono::milliseconds Timeout) override;
  };
  class RecvWork : public Work {
  public:
    using Work::Work;
    bool wait(std::chrono::milliseconds Timeout) override;
  };
  using Result = c10::intrusive_ptr<Work>;

  ProcessGroupGloo(const c10::intrusive_ptr<Store> &, int Rank, int Ranks, c10::intrusive_ptr<Options>);
  virtual ~ProcessGroupGloo() = default;
  virtual c10::intrusive_ptr<Work> broadcast(Tensors &, const BroadcastOptions &);
  virtual c10::intrusive_ptr<Work> allreduce(Tensors &, const AllreduceOptions &);
  virtual c10::intrusive_ptr<Work> allreduce_sparse(Tensors &, const AllreduceOptions &);
  virtual c10::intrusive_ptr<Work> allreduce_coalesced(Tensors &, const AllreduceCoalescedOptions &);
  virtual c10::intrusive_ptr<Work> reduce(Tensors &, const ReduceOptions &);
  virtual c10::intrusive_ptr<Work> allgather(Lists &, Tensors &, const AllgatherOptions &);
  virtual c10::intrusive_ptr<Work> allgather_coalesced(Lists &, Tensors &, const AllgatherOptions &);
  virtual c10::intrusive_ptr<Work> _allgather_base(at::Tensor &, at::Tensor &, const AllgatherOptions &);
  virtual c10::intrusive_ptr<Work> all_gather_single(at::Tensor &, at::Tensor &, const AllgatherOptions &);
  virtual c10::intrusive_ptr<Work> allgather_into_tensor_coalesced(Tensors &, Tensors &, const AllgatherOptions &);
  virtual c10::intrusive_ptr<Work> all_gather_single_coalesced(Tensors &, Tensors &, const AllgatherOptions &);
  virtual c10::intrusive_ptr<Work> gather(Lists &, Tensors &, const GatherOptions &);
  virtual c10::intrusive_ptr<Work> scatter(Tensors &, Lists &, const ScatterOptions &);
  virtual c10::intrusive_ptr<Work> reduce_scatter(Tensors &, Lists &, const ReduceScatterOptions &);
  virtual c10::intrusive_ptr<Work> _reduce_scatter_base(at::Tensor &, at::Tensor &, const ReduceScatterOptions &);
  virtual c10::intrusive_ptr<Work> reduce_scatter_single(at::Tensor &, at::Tensor &, const ReduceScatterOptions &);
  virtual c10::intrusive_ptr<Work> reduce_scatter_tensor_coalesced(Tensors &, Tensors &, const ReduceScatterOptions &);
  virtual c10::intrusive_ptr<Work> reduce_scatter_single_coalesced(Tensors &, Tensors &, const ReduceScatterOptions &);
  virtual c10::intrusive_ptr<Work> alltoall(Tensors &, Tensors &, const AllToAllOptions &);
  virtual c10::intrusive_ptr<Work> alltoall_base(at::Tensor &, at::Tensor &, Counts &, Counts &, const AllToAllOptions &);
  virtual c10::intrusive_ptr<Work> all_to_all_single(at::Tensor &, at::Tensor &, Counts &, Counts &,
                                                     const AllToAllOptions &);
  virtual c10::intrusive_ptr<Work> send(Tensors &, int, int);
  virtual c10::intrusive_ptr<Work> recv(Tensors &, int, int);
  virtual c10::intrusive_ptr<Work> recvAnysource(Tensors &, int);
  virtual c10::intrusive_ptr<Work> barrier(const BarrierOptions &);
  virtual void monitoredBarrier(const BarrierOptions &, bool);

  // Of the operations to come.
  int Ms = 0;
  bool Fails = false;

private:
  c10::intrusive_ptr<Work> work();
  int Rank, Ranks;
  uint32_t Number = 0;
};

// Data parallel training: waits for its gradients in its own function.
class Reducer {
public:
  void finalize_backward();
  int Ms = 0;
};
} // namespace c10d

// For programs that load the library.
extern "C" c10d::ProcessGroupGloo *make_group(int Rank, int Ranks);

#endif
