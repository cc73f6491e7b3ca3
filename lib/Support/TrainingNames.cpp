// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words are looked up in lists, each of names that training programs have.

#include "Support/TrainingNames.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <span>

namespace loopscope {
namespace {

using Words = std::vector<std::string>;

using List = std::initializer_list<std::string_view>;
using Array = std::span<const std::string_view>;

bool isOneOf(std::string_view Word, Array Any) {
  return std::ranges::find(Any, Word) != Any.end();
}
bool isOneOf(std::string_view Word, List Any) {
  return isOneOf(Word, Array(Any.begin(), Any.size()));
}

bool has(const Words &W, Array Any) {
  return std::ranges::any_of(
      W, [&](const std::string &Each) { return isOneOf(Each, Any); });
}
bool has(const Words &W, List Any) {
  return has(W, Array(Any.begin(), Any.size()));
}

/// A name in lower case, without word separators.
struct Flat {
  std::string Text;

  explicit Flat(const Words &W) {
    for (const std::string &Each : W)
      Text += Each;
  }
  bool contains(List Any) const {
    return std::ranges::any_of(Any, [&](std::string_view Each) {
      return Text.find(Each) != std::string::npos;
    });
  }
  bool ends(List Any) const {
    return std::ranges::any_of(
        Any, [&](std::string_view Each) { return Text.ends_with(Each); });
  }
};

constexpr std::string_view Gradients[] = {"grad", "grads", "gradient",
                                          "gradients"};
constexpr std::string_view Trains[] = {
    "train", "trains", "training", "learn", "learns", "fit", "fits", "retrain"};
constexpr std::string_view Units[] = {
    "batch",   "minibatch", "batches",    "step",  "iter",     "iteration",
    "sample",  "samples",   "example",    "datum", "instance", "item",
    "pattern", "once",      "pair",       "word",  "sentence", "document",
    "line",    "single",    "incremental"};
constexpr std::string_view Nouns[] = {
    "batch",   "batches",  "minibatch", "sample", "samples",
    "example", "examples", "line",      "lines",  "record",
    "records", "instance", "instances"};
/// These are drawn where they are read, not where they are looked up.
constexpr std::string_view Texts[] = {"word",  "words",  "sentence", "document",
                                      "image", "images", "chunk",    "tokens",
                                      "block", "blocks"};
constexpr std::string_view Verbs[] = {"get",   "load", "next", "read",
                                      "fetch", "draw", "pop"};

bool draws(const Words &W, const Flat &F) {
  if (has(W, {"current", "count", "size", "num", "name", "names", "max",
              "total", "offset", "index", "list", "paths", "norm", "vector",
              "pointer", "ptr"}) &&
      !F.ends({"index"}))
    return false;
  if (isOneOf(F.Text, {"samples", "batch", "minibatch", "load", "fetch",
                       "getline", "fread", "fgets", "fscanf", "getdelim"}))
    return true;
  auto Verb = std::ranges::find_if(
      W, [](const std::string &Each) { return isOneOf(Each, Verbs); });
  if (Verb == W.end())
    return false;
  return isOneOf(W.back(), {"data"}) || (*Verb != "get" && has(W, Texts)) ||
         std::any_of(
             Verb, W.end(),
             [](const std::string &Each) { return isOneOf(Each, Nouns); }) ||
         F.contains({"nextbatch", "getbatch", "loadbatch", "fetchbatch"});
}

bool isOptimizer(const Words &W, const Flat &F) {
  return F.Text == "step" ||
         F.contains({"optstep", "optimizerstep", "sgdstep", "adamstep",
                     "sgdupdate", "adamupdate", "applygrad", "rmsprop",
                     "adagrad"}) ||
         F.ends({"sgd", "adam", "adamw", "optimize"}) ||
         (has(W, {"update", "updates", "adjust", "apply"}) &&
          !has(W, {"best", "saved", "average"}) && // it keeps a copy
          has(W,
              {"weight", "weights", "param", "params", "parameter",
               "parameters", "model", "network", "bias", "biases", "theta"}));
}

} // namespace

std::vector<std::string> wordsOf(std::string_view Name) {
  Words W;
  bool Open = false;
  for (size_t I = 0; I < Name.size(); ++I) {
    auto C = static_cast<unsigned char>(Name[I]);
    if (!std::isalnum(C)) {
      Open = false;
      continue;
    }
    auto At = [&](size_t J) {
      return J < Name.size() ? static_cast<unsigned char>(Name[J])
                             : static_cast<unsigned char>(0);
    };
    bool Starts = std::isupper(C) && I > 0 &&
                  (std::islower(At(I - 1)) ||
                   (std::isupper(At(I - 1)) && std::islower(At(I + 1))));
    if (!Open || Starts)
      W.emplace_back();
    Open = true;
    W.back() += static_cast<char>(std::tolower(C));
  }
  if (Name.starts_with("operator"))
    W = {"operator"};
  return W;
}

bool hasWord(std::string_view Name,
             std::initializer_list<std::string_view> Any) {
  return has(wordsOf(Name), Any);
}

TrainingRole roleOfName(const std::string &Name, const std::string &Object,
                        bool IsReal, bool IsBare) {
  using Role = TrainingRole;
  Words W = wordsOf(Name), On = wordsOf(Object);
  if (W.empty())
    return Role::None;
  Flat F(W);
  bool OnModel = has(On, {"model", "net", "network", "classifier", "module"});
  bool OnLoss = has(On, {"criterion", "loss"});
  if (W.front() == "operator")
    return Name != "operator()" ? Role::None
           : OnLoss             ? Role::Loss
           : OnModel            ? Role::Forward
                                : Role::None;
  if ((has(W, {"zero", "clear", "reset"}) && has(W, Gradients)) ||
      F.contains({"zerograd", "cleargrad"}) || (F.Text == "zero" && OnModel))
    return Role::ZeroGrad;
  if (isAside(Name))
    return Role::None;
  bool Learns = isOneOf(W.front(), Trains) || isOneOf(W.back(), Trains) ||
                F.ends({"train"}) ||
                (has(W, Trains) &&
                 !has(W, {"data", "set", "loader", "images", "labels", "file",
                          "mode", "state", "size", "info", "matrix"}));
  if (has(W, {"epoch"}) &&
      (Learns || has(W, {"run", "do", "one", "opt"}) || W.size() == 1))
    return Role::Epoch;
  // An optimizer's step gives no number, and is called on the optimizer.
  if (F.Text == "step" && IsReal && !IsBare && Object.empty())
    return Role::Step;
  if (Learns && (has(W, Units) || F.contains({"trainbatch", "trainstep"})))
    return Role::Step;
  if (F.contains({"backward", "backprop", "bprop"}) ||
      (has(W, Gradients) && !IsBare && !has(W, {"norm", "clip"}) &&
       (W.size() == 1 || has(W, {"get", "compute", "calc", "cal", "calculate",
                                 "accumulate", "eval", "evaluate"}))))
    return Role::Backward;
  if (OnLoss && F.contains({"forward"}))
    return Role::Loss;
  // `model.loss()` reads an existing value.
  if (!has(W, {"stat", "stats"}) &&
      (F.contains({"loss", "criterion", "crossentropy"}) ||
       has(W, {"nll", "mse"}) || F.ends({"cost"}) ||
       (IsReal && F.ends({"error", "err"}))))
    return (IsBare && !Object.empty()) || (IsBare && W.front() == "get")
               ? Role::None
               : Role::Loss;
  if (F.contains({"forward", "fprop"}) ||
      (has(W, {"predict"}) && !has(W, Trains)))
    return Role::Forward;
  if (isOptimizer(W, F))
    return Role::OptStep;
  if (draws(W, F))
    return Role::Draw;
  if (Learns)
    return Role::Train;
  if (has(W, {"validate", "validation", "valid", "eval", "evaluate",
              "evaluation"}) ||
      isOneOf(W.front(), {"test"}) || isOneOf(W.back(), {"test"}))
    return Role::Evaluate;
  if (has(W, {"update", "updates"}) &&
      !has(W, {"progress", "bar", "metric", "meter", "log", "stat", "stats",
               "timer", "display", "average", "best", "score", "detector",
               "scheduler", "rate", "lr"}) &&
      !has(On, {"progress", "bar", "metric", "meter", "log", "stat", "stats",
                "timer", "display", "average"}))
    return Role::Update;
  return Role::None;
}

bool isPart(TrainingRole R) {
  using Role = TrainingRole;
  switch (R) {
  case Role::ZeroGrad:
  case Role::Forward:
  case Role::Loss:
  case Role::Backward:
  case Role::OptStep:
    return true;
  default:
    return false;
  }
}

const char *phaseName(TrainingRole R) {
  using Role = TrainingRole;
  switch (R) {
  case Role::ZeroGrad:
    return "zero_grad";
  case Role::Forward:
    return "forward";
  case Role::Loss:
    return "loss";
  case Role::Backward:
    return "backward";
  case Role::OptStep:
    return "opt_step";
  case Role::Draw:
    return "the draw";
  default:
    return "";
  }
}

bool isAside(std::string_view Name) {
  Words W = wordsOf(Name);
  if (W.empty())
    return true;
  constexpr std::string_view First[] = {
      "build",     "create",    "make",   "new",     "init",     "initialize",
      "alloc",     "free",      "delete", "destroy", "print",    "log",
      "save",      "write",     "dump",   "parse",   "register", "set",
      "is",        "has",       "num",    "resize",  "reserve",  "check",
      "assert",    "on",        "show",   "plot",    "should",   "copy",
      "clone",     "configure", "setup",  "malloc",  "usage",    "keep",
      "can",       "stop",      "done",   "finish",  "end",      "progress",
      "normalize", "quantize"};
  constexpr std::string_view Last[] = {
      "name",  "size",     "callback", "cb",      "bar",    "progress",
      "path",  "filename", "option",   "options", "config", "args",
      "type",  "string",   "time",     "timer",   "info",   "history",
      "free",  "init",     "alloc",    "build",   "create", "destroy",
      "print", "reset",    "save",     "expand",  "printf", "log"};
  return isOneOf(W.front(), First) || isOneOf(W.back(), Last) ||
         has(W, {"callback", "callbacks"}) ||
         (W.size() > 2 &&
          has(W, {"build", "init", "alloc", "create", "print", "destroy",
                  "free", "delete", "save", "reset"}));
}

bool savesOrShows(std::string_view Name) {
  Words W = wordsOf(Name);
  if (W.empty())
    return false;
  constexpr std::string_view Verbs[] = {
      "save",     "write",  "dump",    "print",     "show",
      "plot",     "export", "display", "serialize", "checkpoint",
      "snapshot", "report", "printf",  "fprintf",   "sprintf",
      "snprintf", "fflush", "fwrite",  "puts",      "fputs",
      "fputc",    "putc",   "putchar", "fclose",    "fsync"};
  return isOneOf(W.front(), Verbs) || isOneOf(W.back(), Verbs);
}

bool isAccess(std::string_view Name) {
  if (Name == "push_back" || Name == "emplace_back")
    return true;
  return wordsOf(Name).size() == 1 &&
         hasWord(Name, {"get", "at", "clear", "add", "append", "push", "insert",
                        "find", "size", "fill", "open", "close", "lock",
                        "unlock", "reset", "exit"});
}

bool isNeverWorthAMark(std::string_view Name) {
  Words W = wordsOf(Name);
  if (roleOfName(std::string(Name)) == TrainingRole::Draw)
    return false;
  return W.empty() || (Name.starts_with("operator") && Name != "operator()") ||
         isAccess(Name) ||
         isOneOf(W.front(), {"get", "is", "has", "size", "length", "begin",
                             "end", "num", "rows", "cols", "data", "empty"});
}

bool isLearning(std::string_view Variable) {
  return hasWord(Variable, {"grad", "grads", "gradient", "gradients", "gradsq",
                            "lr", "learning", "learnrate", "rate", "eta",
                            "momentum", "hessian", "hessians"});
}

bool mayBeLearning(std::string_view Variable) {
  return hasWord(Variable, {"alpha", "delta", "deltas"});
}

bool isWeights(std::string_view Variable) {
  return hasWord(Variable, {"w", "weight", "weights", "theta", "param",
                            "params", "parameters", "bias", "biases", "coef",
                            "coefs", "beta", "alpha", "model"});
}

bool isEpochs(std::string_view Variable) {
  Words W = wordsOf(Variable);
  // An episode is a game that is played to its end, step by step.
  return has(W, {"epoch", "epochs", "epo", "episode", "episodes"}) ||
         Flat(W).contains({"epoch"});
}

bool isIterations(std::string_view Variable) {
  return hasWord(Variable, {"iter", "iters", "iteration", "iterations", "round",
                            "rounds", "pass", "passes", "loops", "sweep",
                            "maxiter", "niter", "times"}) ||
         Flat(wordsOf(Variable)).contains({"iters", "iterations"}) ||
         isEpochs(Variable);
}

bool isConvergence(std::string_view Variable) {
  return hasWord(Variable,
                 {"tol", "tolerance", "threshold", "thresh", "eps", "epsilon",
                  "converged", "convergence", "delta", "changed"});
}

bool isAttempt(std::string_view Variable) {
  return hasWord(Variable, {"status", "undef", "restart", "restarts", "attempt",
                            "attempts", "retry", "retries"});
}

bool isTrees(std::string_view Variable) {
  Words W = wordsOf(Variable);
  if (isIterations(Variable)) // trees per iteration are parts of a step
    return false;
  return has(W, {"trees", "ntree", "ntrees", "stumps", "estimators"}) ||
         (has(W, {"tree", "estimator"}) &&
          has(W, {"n", "num", "nr", "number", "count", "max", "total"}));
}

bool isData(std::string_view Variable) {
  Words W = wordsOf(Variable);
  return has(W, {"batch",     "batches",   "minibatch", "minibatches", "sample",
                 "samples",   "example",   "examples",  "rows",        "lines",
                 "instance",  "instances", "data",      "dataset",     "step",
                 "steps",     "updates",   "pattern",   "patterns",    "images",
                 "documents", "records",   "datum",     "loader",      "corpus",
                 "sentences"}) ||
         Flat(W).contains({"batch", "numdata"}) ||
         (Flat(W).contains({"nsample"}) && !Flat(W).contains({"sampler"}));
}

bool overRuns(std::string_view Variable) {
  return hasWord(Variable,
                 {"class", "classes", "fold", "folds", "models", "trial",
                  "trials", "runs", "seed", "gpu", "ngpus", "device", "config",
                  "layer", "layers", "argc", "argv", "arg"});
}

bool isOfModel(std::string_view Variable) {
  return hasWord(Variable, {"layer", "layers", "neuron", "neurons", "unit",
                            "units", "hidden", "filter", "filters", "channel",
                            "channels", "pixel", "pixels"});
}

namespace {
bool solves(const std::string &Word) { return Word.starts_with("solve"); }

bool trains(const std::string &Word) {
  constexpr std::string_view Beginnings[] = {"train", "pretrain", "finetun",
                                             "learn", "optimi"};
  return Word == "fit" || Word == "epoch" ||
         std::ranges::any_of(Beginnings, [&](std::string_view Each) {
           return Word.starts_with(Each);
         });
}
} // namespace

bool saysTraining(std::string_view Name) {
  return std::ranges::any_of(wordsOf(Name), [](const std::string &Word) {
    return trains(Word) || solves(Word);
  });
}

bool takesAllData(std::string_view Name) {
  Words W = wordsOf(Name);
  if (has(W, {"batch", "minibatch", "online", "stochastic"}))
    return false;
  return has(W, {"lloyd", "em", "gmm", "lbfgs", "owlqn", "newton", "tron"}) ||
         Flat(W).contains({"kmeans", "baumwelch", "expectationmax"});
}

bool saysSolvingOnly(std::string_view Name) {
  return saysTraining(Name) && std::ranges::none_of(wordsOf(Name), trains);
}

} // namespace loopscope
