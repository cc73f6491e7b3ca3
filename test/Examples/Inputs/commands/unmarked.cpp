// The program for the documents' selection rules: steps of a few milliseconds.
#include <cstdlib>

struct Net {
  double forward(double x) {
    for (int i = 0; i < 400000; ++i)
      x = x * 0.999 + 0.001;
    return x;
  }
  double backward(double x) { return forward(x); }
};

int main() {
  Net net;
  double loss = 1;
  for (int epoch = 0; epoch < 2; ++epoch)
    for (int batch = 0; batch < 20; ++batch) {
      loss = net.forward(loss);
      loss = net.backward(loss);
    }
  return std::abs(loss) < 0;
}
