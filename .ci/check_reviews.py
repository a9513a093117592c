"""Checks judged games for contradictions: every comment against its own numbers.

Usage: python .ci/check_reviews.py FOLDER

FOLDER is the output folder of `tejun judge --lang en`. Prints figures; exits with 1 if a game contradicts itself.
"""

import glob
import json
import os
import re
import sys

MARGIN = 0.0151
"""The largest loss of a good or interesting move, and the most by which another move may be preferred to it."""


def percent(share):
    if share < 0.005:
        return "<1%"
    return ">99%" if share >= 0.995 else f"{100 * share:.0f}%"


def near(text, share):
    """Whether the text says this share; numbers half way between two may be rounded either way."""
    return text in {percent(share + d) for d in (-1e-6, 0, 1e-6)}


def faults(move, comment):
    """What is wrong with a move."""
    verdict, lost = move["verdict"], move["win_rate_lost"]
    best = (move["best"] or [{}])[0]
    preferred = best.get("point") == move["point"]
    before = move["win_rate_black_before"]
    if before is not None and move["color"] == "white":
        before = 1 - before
    if verdict in ("good", "interesting"):
        if lost > MARGIN:
            yield f"{verdict}, but loses {lost:.3f}"
        if not preferred and move["signals"]["best_lead"] > MARGIN:
            yield f"{verdict}, but the search prefers another move by {move['signals']['best_lead']:.3f}"
    if verdict in ("doubtful", "bad") and preferred:
        yield f"{verdict}, but the search prefers it"
    if verdict in ("doubtful", "bad") and lost < 0.03:
        yield f"{verdict}, but loses {lost:.3f}"
    for text_before, text_after in re.findall(r"falls from (\S+%) to (\S+%)", comment):
        if not near(text_before, before):
            yield f"the text says {text_before} before the move, the curve {before:.4f}"
        if not near(text_after, max(before - lost, 0)):
            yield f"the text says {text_after} after the move, the numbers {before - lost:.4f}"
    if "A mistake" in comment and verdict != "bad" or "A good move" in comment and verdict != "good":
        yield f"the text disagrees with the verdict {verdict}"
    if move["signals"]["loss"] != lost:
        yield "two losses"
    if verdict in ("good", "interesting") and "Better:" in comment:
        yield f"{verdict}, but something else is better"


def comments(sgf):
    """The comments of tejun in a game, by the name of the move that they begin with."""
    found = {}
    for text in re.findall(r"C\[((?:[^\]\\]|\\.)*)\]", sgf, re.S):
        match = re.search(r"tejun:[^\n]*\n(.*)", text, re.S)
        if match:
            words = match.group(1).replace("\\]", "]").replace("\\\\", "\\")
            name = re.match(r"(Black|White) ([A-T]\d+)", words)
            if name:
                found.setdefault((name.group(1).lower(), name.group(2)), []).append(words)
    return found


def main():
    folder = sys.argv[1]
    n_games = n_moves = n_faults = n_flips = n_changes = n_ko = n_ko_condemned = 0
    thirds, verdicts = [0, 0, 0], {}
    for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        with open(path, encoding="utf-8") as file:
            game, *moves = map(json.loads, file)
        with open(path[:-5] + "sgf", encoding="utf-8") as file:
            texts = comments(file.read())
        n_games += 1
        for move in moves:
            n_moves += 1
            verdicts[move["verdict"]] = verdicts.get(move["verdict"], 0) + 1
            own = texts.get((move["color"], move["point"]), [])
            wrong = list(faults(move, own.pop(0) if own and (move["moment"] or move["verdict"] != "ordinary") else ""))
            for fault in wrong:
                print(f"{path}: move {move['number']}: {fault}")
            n_faults += len(wrong)
            if move["moment"]:
                thirds[min(2, 3 * move["number"] // (game["n_moves"] + 1))] += 1
            if move["exchange"] and move["exchange"]["kind"] == "ko":
                n_ko += 1
                n_ko_condemned += move["verdict"] in ("doubtful", "bad")
        rates = [m["win_rate_black_before"] for m in moves if m["win_rate_black_before"] is not None]
        changes = [b - a for a, b in zip(rates, rates[1:]) if b != a]
        n_changes += max(0, len(changes) - 1)
        n_flips += sum((a > 0) != (b > 0) for a, b in zip(changes, changes[1:]))
    print(f"{n_games} games, {n_moves} moves, {n_faults} contradictions")
    print("verdicts:", ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items())))
    print("moments in the thirds of the games:", thirds)
    print(f"moves of ko fights: {n_ko}, called doubtful or bad: {n_ko_condemned}")
    print(f"the curve changes its direction after {100 * n_flips / max(1, n_changes):.0f}% of its changes")
    return 1 if n_faults or not n_games else 0


if __name__ == "__main__":
    sys.exit(main())
