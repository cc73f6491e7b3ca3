"""Makes traces of PyTorch as its users record them, on the CPU, each with the truth beside it.

usage: fresh_traces.py DIR [KIND...]

Run it with a Python that has torch; the kind lightning needs lightning, too. It installs
nothing. DIR gets a folder for each kind, with traces (NAME.pt.trace.json) and, for each,
NAME.truth.json: what PyTorch itself says of the same events. Its "rows" and "shapes" are
those of key_averages(), by name and by shape, in microseconds; "steps" are ProfilerStep's
durations; "total" is the "Self CPU time total". fresh_compare.py compares loopscope with it.
Exits 77, as a test that is skipped, if torch can't be imported.
"""
import contextlib
import json
import os
import sys
import tempfile

try:
    import torch
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)

from torch.profiler import ProfilerActivity, profile, record_function, schedule

STEPS = 3


def rows_of(averages):
    """The rows that key_averages().table() prints."""
    return [{"name": row.key, "calls": row.count, "self": row.self_cpu_time_total, "total": row.cpu_time_total,
             "shapes": [list(shape) for shape in row.input_shapes] if row.input_shapes else [],
             "annotation": row.is_user_annotation} for row in averages]


class Writer:
    """An on_trace_ready: writes what was recorded, and the truth."""

    def __init__(self, folder, name="worker"):
        self.folder, self.name, self.cycles = folder, name, 0
        os.makedirs(folder, exist_ok=True)

    def __call__(self, recorded):
        path = os.path.join(self.folder, f"{self.name}.{self.cycles}")
        self.cycles += 1
        recorded.export_chrome_trace(path + ".pt.trace.json")
        averages = recorded.key_averages()
        truth = {"rows": rows_of(averages), "total": averages.self_cpu_time_total,
                 "shapes": rows_of(recorded.key_averages(group_by_input_shape=True)),
                 "steps": sorted(event.cpu_time_total for event in recorded.events()
                                 if event.name.startswith("ProfilerStep"))}
        with open(path + ".truth.json", "w", encoding="utf-8") as file:
            json.dump(truth, file)


class Doubled(torch.autograd.Function):
    """A function whose backward pass is Python's, called by an operator."""

    @staticmethod
    def forward(context, values):
        return values * 2

    @staticmethod
    def backward(context, gradient):
        return gradient * 2


class Double(torch.nn.Module):
    """A layer of it."""

    def forward(self, values):
        return Doubled.apply(values)


def model():
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU(), torch.nn.Flatten(),
                               torch.nn.Linear(8 * 14 * 14, 32), Double(), torch.nn.Linear(32, 10))


def batches(count):
    return [(torch.randn(16, 3, 16, 16), torch.randint(10, (16,))) for _ in range(count)]


def recorder(folder, name="worker", repeat=1, **options):
    return profile(activities=[ProfilerActivity.CPU], on_trace_ready=Writer(folder, name),
                   schedule=schedule(wait=1, warmup=1, active=STEPS, repeat=repeat), **options)


def learn(network, optimizer, images, labels):
    with record_function("forward"):
        loss = torch.nn.functional.cross_entropy(network(images), labels)
    with record_function("backward"):
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()


def train(folder, network=None, loader=None, name="worker", repeat=1, **options):
    network = network or model()
    optimizer = torch.optim.SGD(network.parameters(), 0.1)
    with recorder(folder, name, repeat, **options) as recording:
        for images, labels in loader or batches((STEPS + 2) * repeat):
            learn(network, optimizer, images, labels)
            recording.step()


def compiled(folder):
    train(folder, torch.compile(model()), record_shapes=True)


class Points(torch.utils.data.Dataset):
    """Samples that workers load."""

    def __len__(self):
        return 16 * (STEPS + 2)

    def __getitem__(self, index):
        return torch.randn(3, 16, 16), index % 10


def loaded(folder):
    train(folder, loader=torch.utils.data.DataLoader(Points(), batch_size=16, num_workers=2), with_stack=True)


def nested(folder):
    """Gradients of two batches are accumulated, and a validation follows each step."""
    network = model()
    optimizer = torch.optim.SGD(network.parameters(), 0.1)
    with recorder(folder, record_shapes=True) as recording:
        for _ in range(STEPS + 2):
            for images, labels in batches(2):
                with record_function("accumulate"):
                    (torch.nn.functional.cross_entropy(network(images), labels) / 2).backward()
            optimizer.step()
            optimizer.zero_grad()
            with record_function("validate"), torch.no_grad():
                for images, _ in batches(2):
                    network(images)
            recording.step()


def lightning(folder):
    try:
        import lightning.pytorch as pl
        from lightning.pytorch.profilers import PyTorchProfiler
    except ImportError as error:
        print("lightning: skipped:", error)
        return

    class Module(pl.LightningModule):
        """The network, with Lightning's hooks."""

        def __init__(self):
            super().__init__()
            self.network = model()

        def training_step(self, batch, _):
            return torch.nn.functional.cross_entropy(self.network(batch[0]), batch[1])

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), 0.1)

    profiler = PyTorchProfiler(dirpath=folder, filename="table", on_trace_ready=Writer(folder), emit_nvtx=False,
                               activities=[ProfilerActivity.CPU], record_module_names=False,
                               schedule=schedule(wait=1, warmup=1, active=STEPS, repeat=1))
    trainer = pl.Trainer(max_steps=STEPS + 4, profiler=profiler, accelerator="cpu", logger=False, barebones=False,
                         enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(Module(), torch.utils.data.DataLoader(Points(), batch_size=8))


def rank_of(rank, folder, meeting, wrap):
    """One of two processes."""
    torch.distributed.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    torch.set_num_threads(1)
    network = model()
    if wrap == "ddp":
        network = torch.nn.parallel.DistributedDataParallel(network)
    else:
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard
        mesh = init_device_mesh("cpu", (2,))
        for layer in network:
            if any(True for _ in layer.parameters()):
                fully_shard(layer, mesh=mesh)
        fully_shard(network, mesh=mesh)
    train(folder, network, name=f"rank{rank}", record_shapes=True)
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


def ranks(folder, wrap):
    with tempfile.TemporaryDirectory() as meeting:
        torch.multiprocessing.spawn(rank_of, (folder, os.path.join(meeting, "store"), wrap), nprocs=2)


KINDS = {
    "shapes": lambda folder: train(folder, record_shapes=True),
    "stack": lambda folder: train(folder, with_stack=True),
    "modules": lambda folder: train(folder, with_stack=True, with_modules=True),
    "memory": lambda folder: train(folder, profile_memory=True, record_shapes=True),
    "compile": compiled,
    "ddp": lambda folder: ranks(folder, "ddp"),
    "fsdp": lambda folder: ranks(folder, "fsdp"),
    "lightning": lightning,
    "cycles": lambda folder: train(folder, repeat=2),
    "loader": loaded,
    "nested": nested,
}


def main():
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= KINDS.keys():
        sys.exit(__doc__)
    for kind in sys.argv[2:] or KINDS:
        with open(os.devnull, "w", encoding="utf-8") as nothing, contextlib.redirect_stdout(nothing):
            KINDS[kind](os.path.join(sys.argv[1], kind))


if __name__ == "__main__":
    main()
