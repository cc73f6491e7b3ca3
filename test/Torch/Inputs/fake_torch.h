// A replacement for LibTorch's at::RecordFunction: the names, the layout of the callback
// and the order of the calls are those of ATen/record_function.h.
#ifndef FAKE_TORCH_H
#define FAKE_TORCH_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace at {
struct ObserverContext {
  virtual ~ObserverContext() = default;
};

// A tensor that an operator is called with.
struct Tensor {
  std::vector<int64_t> Sizes;
  std::string Type;
};

class RecordFunction {
public:
  explicit RecordFunction(std::string Name, bool Async = false,
                          int64_t Sequence = -1, uint64_t Thread = 1,
                          uint64_t ForwardThread = 0,
                          std::vector<Tensor> Inputs = {});
  ~RecordFunction();
  RecordFunction(const RecordFunction &) = delete;
  const char *name() const;
  bool isAsync() const;
  void end();
  // Values that LibTorch's inline functions return.
  const int64_t Sequence;
  const uint64_t Thread;
  const uint64_t ForwardThread;
  // Empty unless the observer wants them and the operator begins.
  const std::vector<Tensor> &inputs() const { return Inputs; }

private:
  std::vector<Tensor> Inputs;
  std::string Name;
  bool Async;
  bool Ended = false;
  std::unique_ptr<ObserverContext> Context;
};

class RecordFunctionCallback {
public:
  std::unique_ptr<ObserverContext> (*Start)(const RecordFunction &);
  void (*End)(const RecordFunction &, ObserverContext *);
  double Probability;
  std::array<bool, 10> Scopes;
  bool Inputs, Outputs, Ids;
};

uint64_t addGlobalCallback(RecordFunctionCallback Callback);
std::string show_config();
} // namespace at

// The library's function, for programs that load it: runs the operator NAME (and INNER
// inside it, unless null) TIMES times.
extern "C" void run_operator(const char *Name, const char *Inner, int Times);

#endif
