#!/usr/bin/env python3
"""Makes each write, rename and sync fail in `tejun import` and `tejun learn grammar`, one at a time, with strace.

After every fault, the program either succeeds with the right output, or reports an error and leaves the old output
unchanged. No input changes. Running the same command again without a fault gives the right output and leaves nothing
else.

Example: .ci/faults.py --tejun target/release/tejun
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The calls to fail, and how. A question mark marks calls that some processors do not have.
FAMILIES = {
    "write": ("write,pwrite64,writev,pwritev", "ENOSPC"),
    "rename": ("?rename,?renameat,renameat2", "EIO"),
    "sync": ("fsync,fdatasync,syncfs", "EIO"),
}
# Every call up to the first number; after it only some, up to the second number in total.
N_FIRST, N_MOST = 200, 400
# Maximum time of one run in seconds; a run usually takes a fraction of a second.
PATIENCE = 60
# A letter for each line of the board.
LETTERS = "abcdefghijklmnopqrs"


class Violation(Exception):
    """A violated rule, with a description."""


class Command:
    """A command, its input, and the output of a run without faults."""

    def __init__(self, tejun, name, arguments, inputs, old):
        self.tejun, self.name, self.arguments = tejun, name, arguments
        # Contents by path, including the old output if there is one.
        self.inputs, self.old = inputs, old
        self.before = inputs | (old or {})
        with Folder(self.before) as folder:
            run = self.run(folder)
            if run.returncode != 0:
                raise Violation(f"{name}: fails without any fault: {run.stderr}")
            self.after = contents(folder)

    def run(self, folder, prefix=()):
        process = subprocess.Popen(
            [*prefix, self.tejun, *self.arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            stdout, stderr = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            # The traced program would continue without strace.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise Violation(f"{self.name}: still running after {PATIENCE} s") from None
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def fail(self, family, number):
        """Runs the command with one fault and once without; returns whether there was a fault."""
        calls, error = FAMILIES[family]
        with Folder(self.before) as folder, tempfile.NamedTemporaryFile("r", errors="replace") as log:
            inject = ["-e", f"trace={calls}", "-e", f"inject={calls}:error={error}:when={number}"]
            run = self.run(folder, ["strace", "-f", "-qq", "-o", log.name, *inject])
            faults = [line.rstrip() for line in log if "(INJECTED)" in line]
            try:
                self.check(family, faults, run, contents(folder))
                self.check_next(folder)
            except Violation as violation:
                raise Violation(
                    f"{self.name}: {family} {number} failed with {error}: {violation}\n"
                    + "".join(f"  {line}\n" for line in faults)
                    + f"  exit code {run.returncode}\n  stderr: {run.stderr}"
                ) from None
        return bool(faults)

    def check(self, family, faults, run, now):
        if "panicked" in run.stderr:
            raise Violation("the program panicked")
        for path, content in self.inputs.items():
            if now.get(path) != content:
                raise Violation(f"the input {path} was changed")
        output = {path: content for path, content in now.items() if path not in self.inputs and not is_leftover(path)}
        new = {path: content for path, content in self.after.items() if path not in self.inputs}
        if run.returncode == 0:
            if output != new:
                raise Violation("it succeeded, but the output is wrong")
            return
        # A message that could not be written is lost.
        if "tejun: " not in run.stderr and not any("write(2, " in line for line in faults):
            raise Violation("it failed without a message")
        # The new output already has its name when the folder is synced and when results are printed.
        may_be_new = family == "sync" or any("write(1, " in line for line in faults)
        if output != (self.old or {}) and not (may_be_new and output == new):
            raise Violation("it failed, and the old output was changed")

    def check_next(self, folder):
        was_done = {path: content for path, content in contents(folder).items() if not is_leftover(path)} == self.after
        run = self.run(folder)
        is_refused = was_done and "--force" not in self.arguments and "already exists" in run.stderr
        if run.returncode != 0 and not is_refused:
            raise Violation(f"the next run failed: {run.stderr}")
        now = contents(folder)
        if now != self.after:
            paths = [path for path in now.keys() | self.after.keys() if now.get(path) != self.after.get(path)]
            raise Violation(f"the next run gives different contents of {sorted(paths)}")

    def fail_all(self, family, end):
        """Fails one call after the other until this time; describes the number of faults."""
        n_faults = 0
        for number in numbers(self.n_calls(family)):
            if time.monotonic() > end:
                return f"{n_faults} (out of time)"
            if not self.fail(family, number):
                break
            n_faults += 1
        if n_faults == 0:
            raise Violation(f"{self.name}: no {family} call was made to fail; is strace allowed to inject faults?")
        return str(n_faults)

    def n_calls(self, family):
        """The calls of the busiest thread: strace counts calls per thread."""
        with Folder(self.before) as folder, tempfile.NamedTemporaryFile("r", errors="replace") as log:
            self.run(folder, ["strace", "-f", "-qq", "-o", log.name, "-e", f"trace={FAMILIES[family][0]}"])
            threads = [line.split()[0] for line in log if "(" in line]
        return max((threads.count(thread) for thread in set(threads)), default=0)


def numbers(n_calls):
    """The numbers of the calls to fail. The loop ends with the first number that causes no fault."""
    yield from range(1, N_FIRST + 1)
    step = max(1, (n_calls - N_FIRST) // (N_MOST - N_FIRST))
    yield from range(N_FIRST + 1, n_calls + 1, step)


class Folder:
    """A fresh folder with these files, removed at the end."""

    def __init__(self, files):
        self.files = files

    def __enter__(self):
        self.path = Path(tempfile.mkdtemp(prefix="faults-"))
        for name, content in self.files.items():
            path = self.path / name
            if content is None:
                path.mkdir(parents=True, exist_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def contents(folder):
    """The bytes of all files by path; folders have none."""
    paths = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes() for path in paths}


def is_leftover(path):
    return any(part.startswith(".tejun-") or part.endswith((".partial", ".new")) for part in Path(path).parts)


def games(seed, n_games):
    """Games of random legal moves."""
    generator = random.Random(seed)
    text = ""
    for number in range(n_games):
        points = [x + y for x in LETTERS for y in LETTERS]
        generator.shuffle(points)
        moves = "".join(f";{'BW'[i % 2]}[{point}]" for i, point in enumerate(points[:40]))
        text += f"(;GM[1]SZ[19]PB[Black {number}]PW[White]RE[B+R]{moves})\n"
    return text.encode()


def commands(tejun):
    """The commands, each with and without an old output to replace."""

    def made(files, *arguments):
        """The files that a command adds to these files."""
        with Folder(files) as folder:
            subprocess.run([tejun, *arguments], cwd=folder, check=True, capture_output=True)
            return {path: content for path, content in contents(folder).items() if path not in files}

    records = {"games.sgfs": games(1, 300)}
    old_collection = made({"old.sgfs": games(2, 10)}, "import", "old.sgfs", "-o", "out.parquet")
    collection = made(records, "import", "games.sgfs", "-o", "games.parquet")
    old_model = made(collection, "learn", "grammar", "games.parquet", "-o", "model", "--codes", "position")
    importing = ["import", "games.sgfs", "-o", "out.parquet", "--threads", "1"]
    learning = ["learn", "grammar", "games.parquet", "-o", "model", "--codes", "distance,surroundings", "--threads", "1"]
    return [
        Command(tejun, "import", importing, records, None),
        Command(tejun, "import --force", [*importing, "--force"], records, old_collection),
        Command(tejun, "learn grammar", learning, collection, None),
        Command(tejun, "learn grammar --force", [*learning, "--force"], collection, old_model),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tejun", default="target/release/tejun", help="the program [default: %(default)s]")
    parser.add_argument("--seconds", type=float, default=180, help="time for all faults [default: %(default)s]")
    args = parser.parse_args()
    try:
        todo = commands(str(Path(args.tejun).resolve()))
        end = time.monotonic() + args.seconds
        n_left = len(todo) * len(FAMILIES)
        for command in todo:
            counts = {}
            for family in FAMILIES:
                now = time.monotonic()
                # The time that one command does not need is left for the others.
                counts[family] = command.fail_all(family, now + (end - now) / n_left)
                n_left -= 1
            write, rename, sync = counts.values()
            counts = f"write {write} faults, rename {rename}, sync {sync}"
            print(f"{command.name}: {counts}: no wrong output, no lost input", flush=True)
    except Violation as violation:
        sys.exit(f"faults: {violation}")


if __name__ == "__main__":
    main()
