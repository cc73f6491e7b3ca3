#include "fake_torch.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define TEXT_OF(Word) #Word
#define TEXT(Word) TEXT_OF(Word)

namespace at {
static RecordFunctionCallback Observer;
static bool IsObserved;

uint64_t addGlobalCallback(RecordFunctionCallback Callback) {
  // Inputs cost what LibTorch does to keep them.
  const char *Asked = getenv("LOOPSCOPE");
  bool WantsInputs = Asked && strstr(Asked, "shapes=on");
  if (IsObserved || Callback.Probability != 1.0 || !Callback.Scopes[0] ||
      !Callback.Scopes[9] || Callback.Inputs != WantsInputs ||
      Callback.Outputs || Callback.Ids) {
    fputs("an observer that isn't what it should be\n", stdout);
    abort();
  }
  Observer = Callback;
  IsObserved = true;
  return 1;
}

RecordFunction::RecordFunction(std::string Name, bool Async, int64_t Sequence,
                               uint64_t Thread, uint64_t ForwardThread,
                               std::vector<Tensor> Inputs)
    : Sequence(Sequence), Thread(Thread), ForwardThread(ForwardThread),
      Name(std::move(Name)), Async(Async) {
  if (!IsObserved)
    return;
  if (Observer.Inputs)
    this->Inputs = std::move(Inputs);
  Context = Observer.Start(*this);
  this->Inputs.clear();
}
RecordFunction::~RecordFunction() { end(); }
void RecordFunction::end() {
  if (IsObserved && !Ended)
    Observer.End(*this, Context.get());
  Ended = true;
}
const char *RecordFunction::name() const { return Name.c_str(); }
bool RecordFunction::isAsync() const { return Async; }

std::string show_config() {
  return "PyTorch built with:\n  - Build settings: BUILD_TYPE=Release, "
         "TORCH_VERSION=" TEXT(FAKE_VERSION) ", USE_CUDA=0";
}
} // namespace at

void run_operator(const char *Name, const char *Inner, int Times) {
  for (int I = 0; I < Times; ++I) {
    at::RecordFunction Outer(Name);
    if (Inner)
      at::RecordFunction Nested(Inner);
  }
}
