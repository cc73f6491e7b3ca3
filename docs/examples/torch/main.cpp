// Trains a perceptron with LibTorch to tell the three arms of a spiral apart.
// The loop is marked with Loopscope's attributes, which a compiler ignores
// unless the build goes through loopscope_instrument (CMakeLists.txt).
//
// Exits with 0 when it has learned: training loss below 0.15 and accuracy above
// 0.95 on points that it was not trained on.
#include "../common/spiral.h"

#include <torch/torch.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

constexpr int TrainSamples = 3072, ValidSamples = 768, BatchSize = 32;
constexpr int Epochs = 12;

// The spiral's points as a LibTorch dataset.
class Spiral : public torch::data::Dataset<Spiral> {
public:
  Spiral(int count, spiral_random seed) {
    std::vector<float> made(static_cast<std::size_t>(count) * SPIRAL_FEATURES);
    std::vector<int> arms(static_cast<std::size_t>(count));
    spiral_make(made.data(), arms.data(), count, seed);
    points = torch::tensor(made).reshape({count, SPIRAL_FEATURES});
    labels = torch::tensor(arms).to(torch::kInt64);
  }

  torch::data::Example<> get(std::size_t index) override {
    const auto i = static_cast<std::int64_t>(index);
    return {points[i], labels[i]};
  }
  torch::optional<std::size_t> size() const override {
    return static_cast<std::size_t>(labels.size(0));
  }

private:
  torch::Tensor points, labels;
};

struct Perceptron : torch::nn::Module {
  torch::nn::Sequential layers;

  Perceptron()
      : layers(register_module(
            "layers",
            torch::nn::Sequential(torch::nn::Linear(SPIRAL_FEATURES, 64),
                                  torch::nn::ReLU(), torch::nn::Linear(64, 64),
                                  torch::nn::ReLU(),
                                  torch::nn::Linear(64, SPIRAL_CLASSES)))) {}

  torch::Tensor forward(const torch::Tensor &points) {
    return layers->forward(points);
  }
};

template <typename Loader>
double trainEpoch(Perceptron &network, torch::optim::Optimizer &optimizer,
                  Loader &loader) {
  double total = 0.0;
  [[loopscope::train("batch.data.size(0)")]] for (auto &batch : loader) {
    [[loopscope::phase("zero_grad")]] optimizer.zero_grad();
    [[loopscope::phase("forward")]] auto scores = network.forward(batch.data);
    [[loopscope::phase("loss")]] auto loss =
        torch::nn::functional::cross_entropy(scores, batch.target);
    [[loopscope::phase("backward")]] loss.backward();
    [[loopscope::phase("opt_step")]] optimizer.step();
    total +=
        loss.template item<double>() * static_cast<double>(batch.data.size(0));
  }
  return total / TrainSamples;
}

template <typename Loader>
double accuracy(Perceptron &network, Loader &loader) {
  const torch::NoGradGuard noGradients;
  std::int64_t right = 0;
  [[loopscope::valid("batch.data.size(0)")]] for (auto &batch : loader) {
    [[loopscope::phase("predict")]] const auto predicted =
        network.forward(batch.data).argmax(1);
    right += predicted.eq(batch.target).sum().template item<std::int64_t>();
  }
  return static_cast<double>(right) / ValidSamples;
}

[[loopscope::fit]] double fit(Perceptron &network) {
  auto training =
      torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
          Spiral(TrainSamples, 1).map(torch::data::transforms::Stack<>()),
          torch::data::DataLoaderOptions().batch_size(BatchSize));
  torch::optim::SGD optimizer(network.parameters(),
                              torch::optim::SGDOptions(0.02).momentum(0.9));
  double loss = 0.0;
  [[loopscope::epoch]] for (int epoch = 1; epoch <= Epochs; ++epoch) {
    loss = trainEpoch(network, optimizer, *training);
    if (epoch % 4 == 0)
      std::printf("epoch %2d  loss %.3f\n", epoch, loss);
  }
  return loss;
}

[[loopscope::validate]] double validate(Perceptron &network) {
  auto unseen =
      torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
          Spiral(ValidSamples, 2).map(torch::data::transforms::Stack<>()),
          torch::data::DataLoaderOptions().batch_size(BatchSize));
  return accuracy(network, *unseen);
}

} // namespace

int main() {
  torch::manual_seed(3);
  torch::set_num_threads(1);
  Perceptron network;
  const double loss = fit(network);
  const double score = validate(network);
  const bool learned = loss < 0.15 && score > 0.95;
  std::printf("%s: loss %.3f, accuracy %.3f\n",
              learned ? "learned" : "not learned", loss, score);
  return learned ? 0 : 1;
}
