"""Prints the profile of rank R of 2, which launches 110,000 kernels, one each 12 us, more than
a page has room for. On rank R a kernel begins 4 + R us after its launch and takes 6 us.

usage: launches.py R
"""
import sys

rank, count, steps = int(sys.argv[1]), 110000, 2000
length = count * 12 // steps
times = ",".join(f"{i * length}us+{length}us" for i in range(steps))
print(f"""rank {rank} of 2
wall 1400ms
program ./train
thread main
  train train spans={count * 12}us at=0us+{count * 12}us
    step spans={steps}x{length}us at={times}
      batch spans={steps}x{length}us at={times}
        phase forward spans={steps}x{length}us at={times} launches={count}/220ms
gpu on launches={count} records={count}
device 0 H100 cc=9.0 sms=100 warps=64 memory=80000000000 from=4us to=1320ms busy=660ms kernels=660ms copies=0ms sm=100ms
kernel forward _Z4gemmPfi device=0 spans={count}x6us blocks=2 occupancy=0.5 busy=660ms
same kernel _Z4gemmPfi device=0 busy=660ms
union forward device=0 busy=660ms kernels=660ms idle=100ms""")
for i in range(count):
    print(f"event launch forward cudaLaunchKernel at={i * 12}us for=2us correlation={i + 1} tid=4711")
    print(f"event kernel forward _Z4gemmPfi at={i * 12 + 4 + rank}us for=6us context=1 stream=7 correlation={i + 1} "
          "grid=200 block=256 registers=32 static=1024 occupancy=0.5")
