/* What the test programs call, so that the trace shows what ran where. */
#ifdef __cplusplus
extern "C" {
#endif
/* Writes WHAT, one word, into the trace. */
void work(const char *what);
/* The same; gives VALUE. */
int value(const char *what, int value);
#ifdef __cplusplus
}
#endif
