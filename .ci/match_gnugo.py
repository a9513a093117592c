"""Plays many games between `tejun gtp --search` and GNU Go, with alternating colors, and counts the wins.

Usage: python .ci/match_gnugo.py --tejun "PROGRAM gtp --search --time 1" [--gnugo PROGRAM] [--level N]
                                 [--size N] [--komi K] [--games N] [--at-once N] [--minutes M] [--results FILE]

GNU Go (Chinese rules) decides which stones are dead and who has won, unless a side resigns.
With --results, every game is a line of that file, and the same command resumes a stopped match.
Exits with 0 if every game was played to its end, otherwise with 1.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import shlex
import shutil
import sys
import threading

from play_gnugo import Engine, Foul


def play_game(args, number):
    our_color = "bw"[number % 2]
    gnugo = [args.gnugo, "--mode", "gtp", "--level", str(args.level), "--chinese-rules", "--seed", str(number + 1)]
    with contextlib.ExitStack() as stack:
        engines = []
        commands = {"tejun": shlex.split(args.tejun) + ["--seed", str(number + 1)], "gnugo": gnugo}
        for name, command in commands.items():
            engines.append(Engine(name, command))
            stack.callback(engines[-1].close)
        # An engine that hangs is killed, so that its answer is missing.
        watch = threading.Timer(60 * args.minutes, lambda: [engine.process.kill() for engine in engines])
        watch.daemon = True
        watch.start()
        stack.callback(watch.cancel)
        return play(args, *engines, our_color) | {"number": number, "tejun": our_color}


def play(args, ours, theirs, our_color):
    for engine in (ours, theirs):
        for command in (f"boardsize {args.size}", "clear_board", f"komi {args.komi}"):
            engine.ask(command)
    n_passes, moves, resigned = 0, [], None
    while n_passes < 2 and len(moves) < 4 * args.size**2:
        color = "bw"[len(moves) % 2]
        mover, other = (ours, theirs) if color == our_color else (theirs, ours)
        vertex = mover.ask(f"genmove {color}").lower()
        if vertex == "resign":
            resigned = color
            break
        moves.append(vertex)
        n_passes = n_passes + 1 if vertex == "pass" else 0
        other.ask(f"play {color} {vertex}")
    if not resigned and n_passes < 2:
        raise Foul(f"no end after {len(moves)} moves")
    if resigned:
        score, winner = "resignation", "w" if resigned == "b" else "b"
    else:
        score = theirs.ask("final_score")
        # A drawn game, "0", has no winner.
        winner = score[:1].lower()
    return {"winner": winner, "score": score, "n_moves": len(moves), "moves": " ".join(moves)}


def interval(n_won, n):
    """The 95% Wilson interval of a share."""
    z, p = 1.96, n_won / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n)
    return middle - half, middle + half


def read_results(path, n_games):
    """The games of a file. If its last line is incomplete, that game is played again."""
    if not path or not os.path.exists(path):
        return []
    with open(path, "rb+") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)
    games = [json.loads(line) for line in content.split(b"\n")[:-1] if line.strip()]
    return [game for game in games if game["number"] < n_games]


def add_result(path, game):
    if path:
        with open(path, "ab") as file:
            file.write(json.dumps(game).encode() + b"\n")


def report(game, done):
    n_won = sum(game["winner"] == game["tejun"] for game in done)
    low, high = interval(n_won, len(done))
    print(
        f"game {game['number'] + 1}: tejun {game['tejun']}, {game['winner']} wins ({game['score']}, "
        f"{game['n_moves']} moves); {n_won} of {len(done)} won, {100 * n_won / len(done):.1f}% "
        f"({100 * low:.1f} to {100 * high:.1f})",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tejun", required=True)
    parser.add_argument("--gnugo", default=shutil.which("gnugo") or "/usr/games/gnugo")
    parser.add_argument("--level", type=int, default=10)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60, help="maximum time per game")
    parser.add_argument("--results")
    args = parser.parse_args()
    done, failed = read_results(args.results, args.games), []
    numbers = [n for n in range(args.games) if n not in {game["number"] for game in done}]
    with concurrent.futures.ThreadPoolExecutor(args.at_once) as pool:
        futures = {pool.submit(play_game, args, n): n for n in numbers}
        try:
            for future in concurrent.futures.as_completed(futures):
                try:
                    game = future.result()
                except (Foul, OSError) as error:
                    failed.append(f"game {futures[future] + 1} was not played to its end: {error}")
                    print(failed[-1], flush=True)
                    continue
                done.append(game)
                add_result(args.results, game)
                report(game, done)
        except KeyboardInterrupt:
            # Engines also receive the signal, so that games in progress end at once.
            pool.shutdown(wait=False, cancel_futures=True)
            failed.append("stopped")
    if failed:
        print(f"{len(done)} of {args.games} games were played to their end:", *failed, sep="\n", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
