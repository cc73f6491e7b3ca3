// The program for the documents' selection rules: steps of some milliseconds, whose result is used, so that no compiler
// leaves them out.
struct Net {
  double forward(double x) {
    for (int i = 0; i < 800000; ++i)
      x = x * 0.999 + 0.001;
    return x;
  }
  double backward(double x) { return forward(x); }
};

int main() {
  Net net;
  double loss = 2;
  for (int epoch = 0; epoch < 2; ++epoch)
    for (int batch = 0; batch < 20; ++batch) {
      loss = net.forward(loss);
      loss = net.backward(loss);
    }
  return loss > 2;
}
