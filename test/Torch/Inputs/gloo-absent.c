/* Waits for an operation without a LibTorch. */
long wait_for_work(void *work, long timeout) __asm__(
    "_ZN4c10d4Work4waitENSt6chrono8durationIlSt5ratioILl1ELl1000EEEE");
int main(void) { return (int)wait_for_work(0, 0); }
