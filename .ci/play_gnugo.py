"""Plays `tejun gtp` against GNU Go, once with each color, and checks every move independently.

Usage: python .ci/play_gnugo.py --tejun PROGRAM --model MODEL [--gnugo PROGRAM] [--level N]
                                [--seed N] [--minutes M] [--sgf FILE]

Exits with 0 if both games were played to their end, every move of tejun was legal
(empty point, no suicide, no ko retaken at once, no repeated position) and
all three boards agreed; otherwise with 1.
"""

import argparse
import shutil
import subprocess
import sys
import threading

from sgfmill import boards, common, sgf

SIZE = 19
KOMI = 6.5
# Our engine starts to pass after 2.5 moves per point, and GNU Go follows.
MAX_MOVES = 3 * SIZE * SIZE


class Foul(Exception):
    """An illegal move, boards that differ, or a game without an end."""


class Engine:
    """A program that supports the protocol."""

    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.n_asked = 0

    def ask(self, command):
        self.n_asked += 1
        try:
            self.process.stdin.write(f"{self.n_asked} {command}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise Foul(f"{self.name} ended at {command!r}, or ran out of time")
            if line == "\n" and lines:
                break
            lines.append(line.rstrip("\n"))
        head = f"={self.n_asked}"
        if not lines[0].startswith(head):
            raise Foul(f"{self.name} answers {command!r} with {lines[0]!r}")
        return "\n".join([lines[0][len(head):].strip(), *lines[1:]]).strip("\n")

    def close(self):
        self.process.kill()
        self.process.wait()


class Judge:
    """An independent board, which checks the rules."""

    def __init__(self):
        self.board = boards.Board(SIZE)
        self.ko = None
        self.seen = {self.stones()}

    def stones(self):
        return frozenset((color, point) for color, point in self.board.list_occupied_points())

    def play(self, color, point):
        """Plays a move; returns the violated rule, or None."""
        if point is None:
            self.ko = None
            return None
        if self.board.get(*point) is not None:
            raise Foul(f"{color} {common.format_vertex(point)}: the point is occupied")
        wrong = "retakes the ko at once" if self.ko == (color, point) else None
        ko = self.board.play(*point, color)
        self.ko = (common.opponent_of(color), ko) if ko is not None else None
        if self.board.get(*point) is None:
            wrong = "is suicide"
        elif self.stones() in self.seen:
            wrong = wrong or "repeats a position"
        self.seen.add(self.stones())
        return wrong


def stones_of_gnugo(engine):
    stones = set()
    for color, name in (("b", "black"), ("w", "white")):
        for vertex in engine.ask(f"list_stones {name}").split():
            stones.add((color, common.move_from_vertex(vertex, SIZE)))
    return frozenset(stones)


def stones_of_tejun(engine):
    stones = set()
    for line in engine.ask("showboard").splitlines():
        cells = line.replace("(", " ").replace(")", " ").split()
        if len(cells) == SIZE + 2 and cells[0].isdigit():
            for column, cell in enumerate(cells[1:-1]):
                if cell in "XO":
                    stones.add(("b" if cell == "X" else "w", (int(cells[0]) - 1, column)))
    return frozenset(stones)


def play_game(ours, theirs, our_color, moves):
    """Plays one game and records its moves; returns the last board and the result according to GNU Go."""
    players = {our_color: ours, common.opponent_of(our_color): theirs}
    for engine in (ours, theirs):
        for command in (f"boardsize {SIZE}", "clear_board", f"komi {KOMI}"):
            engine.ask(command)
    judge, n_passes = Judge(), 0
    while n_passes < 2:
        color = "bw"[len(moves) % 2]
        mover, other = players[color], players[common.opponent_of(color)]
        answer = mover.ask(f"genmove {color}")
        if answer.lower() == "resign":
            if mover is ours:
                raise Foul("tejun resigns, which it never does")
            return judge, f"{our_color.upper()}+R"
        point = common.move_from_vertex(answer, SIZE)
        wrong = judge.play(color, point)
        if wrong and mover is ours:
            raise Foul(f"move {len(moves) + 1}, {color} {answer}: {wrong}")
        moves.append((color, point))
        other.ask(f"play {color} {answer}")
        n_passes = n_passes + 1 if point is None else 0
        if len(moves) > MAX_MOVES:
            raise Foul(f"no end after {MAX_MOVES} moves")
    return judge, theirs.ask("final_score")


def record(moves, our_color, result):
    game = sgf.Sgf_game(size=SIZE)
    root = game.get_root()
    root.set("KM", KOMI)
    root.set("RE", result)
    names = {our_color: "tejun", common.opponent_of(our_color): "GNU Go"}
    root.set("PB", names["b"])
    root.set("PW", names["w"])
    for color, point in moves:
        game.extend_main_sequence().set_move(color, point)
    return game.serialise()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tejun", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--gnugo", default=shutil.which("gnugo") or "/usr/games/gnugo")
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--sgf")
    args = parser.parse_args()
    ours = Engine("tejun", [args.tejun, "gtp", "--model", args.model])
    gnugo = [args.gnugo, "--mode", "gtp", "--level", str(args.level), "--seed", str(args.seed)]
    theirs = Engine("GNU Go", gnugo)
    watch = threading.Timer(60 * args.minutes, lambda: (ours.close(), theirs.close()))
    watch.daemon = True
    watch.start()
    games = []
    try:
        for our_color in "bw":
            moves = []
            games.append([moves, our_color, "?"])
            judge, result = play_game(ours, theirs, our_color, moves)
            games[-1][2] = result
            for name, stones in (("GNU Go", stones_of_gnugo(theirs)), ("tejun", stones_of_tejun(ours))):
                if stones != judge.stones():
                    raise Foul(f"the board of {name} differs: {sorted(stones ^ judge.stones())}")
            side = "Black" if our_color == "b" else "White"
            n_ours = sum(1 for color, point in moves if color == our_color and point is not None)
            print(f"tejun as {side}: {len(moves)} moves, {n_ours} of them by tejun, all legal, boards agree, {result}")
    except Foul as foul:
        print(f"foul: {foul}")
        return 1
    finally:
        if args.sgf:
            with open(args.sgf, "wb") as file:
                file.write(b"\n".join(record(*game) for game in games))
        watch.cancel()
        ours.close()
        theirs.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
