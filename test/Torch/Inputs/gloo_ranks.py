"""A rank of a run with Gloo: 20 steps of data parallel training, in which rank 1 computes 20 ms longer, then one of each
operation, and a wait that times out.

Prints what it computed, and exits with 5 and 6 as rank 0 and 1.
"""
import datetime
import os
import sys
import time
import warnings

import torch
import torch.distributed as dist

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(1)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(100, 10))
optimizer = torch.optim.SGD(model.parameters(), 0.1)
data, wanted = torch.randn(16, 100), torch.randn(16, 10)
for step in range(20):
    optimizer.zero_grad()
    loss = ((model(data) - wanted) ** 2).mean()
    if rank == 1:
        time.sleep(0.02)
    loss.backward()
    optimizer.step()
print("loss", loss.item())

one, two = torch.ones(1000), torch.ones(500)
group = dist.new_group([0, 1])
dist.all_reduce(one, group=group)
dist.broadcast(two, 0, group=group)
dist.reduce(one, 0, group=group)
dist.all_gather([torch.zeros(500), torch.zeros(500)], two, group=group)
dist.all_gather_into_tensor(torch.zeros(1000), two, group=group)
dist.reduce_scatter_tensor(torch.zeros(500), one, group=group)
dist.gather(two, [torch.zeros(500), torch.zeros(500)] if rank == 0 else None, 0, group=group)
dist.scatter(torch.zeros(500), [two, two] if rank == 0 else None, 0, group=group)
dist.all_to_all_single(torch.zeros(1000), one, group=group)
dist.barrier(group=group)
if rank == 0:
    dist.send(one, 1, group=group)
    # Nobody else takes part.
    try:
        dist.all_reduce(two, group=group, async_op=True).wait(datetime.timedelta(milliseconds=100))
    except RuntimeError as error:
        print("threw", error)
else:
    dist.recv(one, 0, group=group)
    time.sleep(0.5)
print("sum", one.sum().item(), two.sum().item())
sys.stdout.flush()
os._exit(5 + rank)
