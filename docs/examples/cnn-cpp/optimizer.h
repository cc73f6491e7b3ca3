// Gradient descent with momentum over any network's parameters.
#ifndef CNN_OPTIMIZER_H
#define CNN_OPTIMIZER_H

#include "tensor.h"

#include <cstddef>

namespace cnn {

template <typename Net> class Sgd {
public:
  Sgd(Net &network, float rate, float momentum)
      : network(network), rate(rate), momentum(momentum) {}

  [[loopscope::phase("zero_grad")]] void zeroGrad() {
    network.each([](Parameters &parameters) {
      for (float &gradient : parameters.gradients)
        gradient = 0.0F;
    });
  }

  [[loopscope::phase("opt_step")]] void step() {
    network.each([this](Parameters &parameters) {
      for (std::size_t i = 0; i < parameters.values.size(); ++i) {
        float &velocity = parameters.velocities[i];
        velocity = momentum * velocity + parameters.gradients[i];
        parameters.values[i] -= rate * velocity;
      }
    });
  }

private:
  Net &network;
  float rate, momentum;
};

} // namespace cnn

#endif // CNN_OPTIMIZER_H
