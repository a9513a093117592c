"""Times sgfmill on a file with one SGF game per line.

usage: sgfmill_parse.py FILE STEP RUNS

Reads every STEP-th line, parses each of them RUNS times, and prints one JSON
object: the time of each run in seconds, the processor time of one run, the time
of a run that also walks the trees, and its counts. Reading the file is not timed.
"""

import json
import sys
import time

from sgfmill import sgf


def parse(lines):
    start = time.perf_counter()
    for line in lines:
        sgf.Sgf_game.from_bytes(line)
    return time.perf_counter() - start


def parse_and_walk(lines):
    n_nodes = n_moves = 0
    start = time.perf_counter()
    for line in lines:
        stack = [sgf.Sgf_game.from_bytes(line).get_root()]
        while stack:
            node = stack.pop()
            n_nodes += 1
            n_moves += node.has_property("B") + node.has_property("W")
            stack.extend(node)
    return time.perf_counter() - start, n_nodes, n_moves


def main():
    path, step, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open(path, "rb") as file:
        lines = [line for line in file.read().split(b"\n") if line.strip()][::step]
    start = time.process_time()
    seconds = [parse(lines) for _ in range(runs)]
    processor_seconds = (time.process_time() - start) / runs
    walk_seconds, n_nodes, n_moves = parse_and_walk(lines)
    print(json.dumps({
        "seconds": seconds,
        "processor_seconds": processor_seconds,
        "walk_seconds": walk_seconds,
        "n_games": len(lines),
        "n_nodes": n_nodes,
        "n_moves": n_moves,
    }))


main()
