// Trains a small convolutional network to tell four shapes apart. The loop is
// marked with Loopscope's attributes, which a compiler ignores unless the build
// goes through loopscope_instrument (CMakeLists.txt).
//
// Exits with 0 when it has learned: loss below 0.15 and accuracy above 0.95 on
// pictures that it was not trained on.
#include "data_loader.h"
#include "layers.h"
#include "loss.h"
#include "optimizer.h"

#include <cstdio>
#include <utility>

namespace {

using namespace cnn;

constexpr std::size_t TrainSamples = 4000, ValidSamples = 1000, BatchSize = 32;
constexpr int Epochs = 5;

struct Score {
  float loss = 0.0F;
  float accuracy = 0.0F;
};

// Trains and validates any network that has forward(), backward() and each().
template <typename Net> class Trainer {
public:
  explicit Trainer(Net &network)
      : network(network), optimizer(network, 0.01F, 0.9F) {}

  [[loopscope::fit]] void fit() {
    [[loopscope::epoch, loopscope::iterations("Epochs")]]
    for (int epoch = 1; epoch <= Epochs; ++epoch) {
      const float loss = trainEpoch();
      const Score valid = evaluate(unseen);
      std::printf("epoch %d  train loss %.3f  valid loss %.3f  accuracy %.3f\n",
                  epoch, static_cast<double>(loss),
                  static_cast<double>(valid.loss),
                  static_cast<double>(valid.accuracy));
    }
  }

  [[loopscope::validate]] Score validate() { return evaluate(unseen); }

private:
  float trainEpoch() {
    float total = 0.0F;
    [[loopscope::train("batch.size()"),
      loopscope::iterations("training.batches()")]]
    for (const Batch &batch : training) {
      [[loopscope::phase("forward")]] Tensor scores =
          network.forward(batch.images);
      [[loopscope::phase("loss")]] auto [sum, hits, gradient] =
          crossEntropy(scores, batch.labels);
      total += sum;
      optimizer.zeroGrad();
      [[loopscope::phase("backward")]] network.backward(std::move(gradient));
      optimizer.step();
    }
    return total / static_cast<float>(TrainSamples);
  }

  Score evaluate(DataLoader &loader) {
    Score score;
    [[loopscope::valid("batch.size()")]] for (const Batch &batch : loader) {
      [[loopscope::phase("predict")]] const Tensor scores =
          network.forward(batch.images);
      [[loopscope::phase("loss")]] const Loss loss =
          crossEntropy(scores, batch.labels);
      score.loss += loss.sum / static_cast<float>(ValidSamples);
      score.accuracy +=
          static_cast<float>(loss.hits) / static_cast<float>(ValidSamples);
    }
    return score;
  }

  Net &network;
  Sgd<Net> optimizer;
  DataLoader training{TrainSamples, BatchSize, 1};
  DataLoader unseen{ValidSamples, BatchSize, 2};
};

} // namespace

int main() {
  Random random(3);
  Network network{Conv2d<1, 8, 3>(random), MaxPool(), Conv2d<8, 16, 3>(random),
                  Dense(144, Classes, random)};
  Trainer trainer(network);
  trainer.fit();
  const Score score = trainer.validate();
  const bool learned = score.loss < 0.15F && score.accuracy > 0.95F;
  std::printf(
      "%s: loss %.3f, accuracy %.3f\n", learned ? "learned" : "not learned",
      static_cast<double>(score.loss), static_cast<double>(score.accuracy));
  return learned ? 0 : 1;
}
