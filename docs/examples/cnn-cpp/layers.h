// The network's layers: each has forward(input) and backward(gradient), which
// keeps what it needs between the two calls, and each() over its parameters.
//
// The phases on the convolution's methods show how annotations in a header, in
// members of a class template, look: they are timed wherever they are called.
#ifndef CNN_LAYERS_H
#define CNN_LAYERS_H

#include "random.h"
#include "tensor.h"

#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

namespace cnn {

// Fills weights of a layer that sums `inputs` values.
inline void initialise(std::vector<float> &weights, std::size_t inputs,
                       Random &random) {
  const float scale = std::sqrt(6.0F / static_cast<float>(inputs));
  for (float &weight : weights)
    weight = scale * (2.0F * random.uniform() - 1.0F);
}

// A convolution without padding, Kernel x Kernel, then a rectifier.
template <std::size_t In, std::size_t Out, std::size_t Kernel> class Conv2d {
public:
  explicit Conv2d(Random &random)
      : weights(Out * In * Kernel * Kernel), bias(Out) {
    initialise(weights.values, In * Kernel * Kernel, random);
  }

  // Products of a weight and a value that one sample takes.
  static std::size_t taps(const Tensor &of) {
    return Out * (of.height - Kernel + 1) * (of.width - Kernel + 1) * In *
           Kernel * Kernel;
  }

  [[loopscope::phase("conv2d forward"),
    loopscope::flops("2.0 * batch.samples * taps(batch)")]] Tensor
  forward(Tensor batch) {
    input = std::move(batch);
    output = Tensor(input.samples, Out, input.height - Kernel + 1,
                    input.width - Kernel + 1);
    for (std::size_t n = 0; n < output.samples; ++n)
      for (std::size_t out = 0; out < Out; ++out)
        for (std::size_t y = 0; y < output.height; ++y) {
          float *row = output.row(n, out, y);
          for (std::size_t x = 0; x < output.width; ++x)
            row[x] = bias.values[out];
          eachTap(out, [&](std::size_t in, std::size_t dy, std::size_t dx,
                           std::size_t weight) {
            const float *source = input.row(n, in, y + dy) + dx;
            for (std::size_t x = 0; x < output.width; ++x)
              row[x] += weights.values[weight] * source[x];
          });
          for (std::size_t x = 0; x < output.width; ++x)
            row[x] = row[x] > 0.0F ? row[x] : 0.0F;
        }
    return output;
  }

  // Twice the work of forward(): for the weights and for what is below.
  [[loopscope::phase("conv2d backward"),
    loopscope::flops("4.0 * input.samples * taps(input)")]] Tensor
  backward(Tensor gradient) {
    Tensor below(input.samples, In, input.height, input.width);
    for (std::size_t n = 0; n < output.samples; ++n)
      for (std::size_t out = 0; out < Out; ++out)
        for (std::size_t y = 0; y < output.height; ++y) {
          float *above = gradient.row(n, out, y);
          const float *value = output.row(n, out, y);
          for (std::size_t x = 0; x < output.width; ++x) {
            above[x] = value[x] > 0.0F ? above[x] : 0.0F;
            bias.gradients[out] += above[x];
          }
          eachTap(out, [&](std::size_t in, std::size_t dy, std::size_t dx,
                           std::size_t weight) {
            const float *source = input.row(n, in, y + dy) + dx;
            float *target = below.row(n, in, y + dy) + dx;
            float sum = 0.0F;
            for (std::size_t x = 0; x < output.width; ++x) {
              sum += above[x] * source[x];
              target[x] += above[x] * weights.values[weight];
            }
            weights.gradients[weight] += sum;
          });
        }
    return below;
  }

  template <typename Visit> void each(Visit visit) {
    visit(weights);
    visit(bias);
  }

private:
  // Calls visit(in, dy, dx, index of the weight) for all weights of `out`.
  template <typename Visit>
  static void eachTap(std::size_t out, const Visit &visit) {
    std::size_t weight = out * In * Kernel * Kernel;
    for (std::size_t in = 0; in < In; ++in)
      for (std::size_t dy = 0; dy < Kernel; ++dy)
        for (std::size_t dx = 0; dx < Kernel; ++dx)
          visit(in, dy, dx, weight++);
  }

  Parameters weights, bias;
  Tensor input, output;
};

// Keeps the largest value of every 2 x 2 square.
class MaxPool {
public:
  Tensor forward(Tensor batch);
  Tensor backward(const Tensor &gradient) const;
  template <typename Visit> void each(Visit) {}

private:
  Tensor input;
  std::vector<std::size_t> chosen; // per output, its index in the input
};

// One score per class from all values of a sample.
class Dense {
public:
  Dense(std::size_t inputs, std::size_t outputs, Random &random)
      : inputs(inputs), outputs(outputs), weights(outputs * inputs),
        bias(outputs) {
    initialise(weights.values, inputs, random);
  }
  Tensor forward(Tensor batch);
  Tensor backward(const Tensor &gradient);
  template <typename Visit> void each(Visit visit) {
    visit(weights);
    visit(bias);
  }

private:
  std::size_t inputs, outputs;
  Parameters weights, bias;
  Tensor input;
};

// Layers one after the other.
template <typename... Layers> class Network {
public:
  explicit Network(Layers... layers) : layers(std::move(layers)...) {}

  Tensor forward(Tensor batch) {
    std::apply(
        [&](auto &...layer) {
          ((batch = layer.forward(std::move(batch))), ...);
        },
        layers);
    return batch;
  }

  void backward(Tensor gradient) {
    backwardFrom<sizeof...(Layers)>(std::move(gradient));
  }

  // Calls visit(Parameters &) for all parameters.
  template <typename Visit> void each(Visit visit) {
    std::apply([&](auto &...layer) { (layer.each(visit), ...); }, layers);
  }

private:
  template <std::size_t Count> void backwardFrom(Tensor gradient) {
    if constexpr (Count > 0)
      backwardFrom<Count - 1>(
          std::get<Count - 1>(layers).backward(std::move(gradient)));
  }

  std::tuple<Layers...> layers;
};

} // namespace cnn

#endif // CNN_LAYERS_H
