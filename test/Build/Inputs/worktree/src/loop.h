static int times(int x) { return 3 * x; }
