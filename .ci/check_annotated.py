"""Opens an annotated game in sgfmill and compares it with the original game.

Usage: python .ci/check_annotated.py ORIGINAL ANNOTATED

Exits with 0 if nothing of the original is lost: every node exists with all
properties unchanged, except comments, which may have more text, and win rates
(SBKV). Additions must have win rates, comments, and branches of legal moves.
"""

import sys

from sgfmill import boards, sgf

# Properties that an annotation may replace.
REWRITTEN = {"SBKV"}


def properties(node):
    """The values of every property as written in the file, with normalized line ends."""
    return {
        name: [value.replace(b"\r\n", b"\n") for value in node.get_raw_list(name)] for name in node.properties()
    }


def losses(before, after):
    """Reports what a node has lost."""
    new = properties(after)
    for name, values in properties(before).items():
        if name == "C":
            text = after.get("C") if after.has_property("C") else ""
            if before.get("C").strip() not in text:
                yield f"the comment {before.get('C')!r} became {text!r}"
        elif name not in REWRITTEN and new.get(name) != values:
            yield f"{name}{values} became {new.get(name)}"


def compare(before, after, path, problems, added):
    """Compares two trees; collects problems and new nodes."""
    problems.extend(f"{path}: {loss}" for loss in losses(before, after))
    children = list(after)
    at = 0
    for number, child in enumerate(before):
        # The main line stays first; other variations keep their order, and new ones may come between them.
        found = at
        while number > 0 and found < len(children) and any(losses(child, children[found])):
            found += 1
        if found >= len(children):
            problems.append(f"{path}: child {number + 1} is lost")
            continue
        added.extend(children[at:found])
        compare(child, children[found], f"{path}.{number + 1}", problems, added)
        at = found + 1
    added.extend(children[at:])


def board_before(node, size):
    """The board before a node's move, and the point of a ko."""
    board, ko = boards.Board(size), None
    path = []
    while node.parent is not None:
        node = node.parent
        path.append(node)
    for node in reversed(path):
        if node.has_setup_stones():
            board.apply_setup(*node.get_setup_stones())
        color, point = node.get_move()
        ko = board.play(point[0], point[1], color) if point is not None else None
    return board, ko


def illegal_moves(node, board, ko, path):
    """Reports illegal moves of an added branch."""
    color, point = node.get_move()
    if color is None:
        yield f"{path}: a node without a move"
        return
    if point is not None:
        if point == ko or board.get(*point) is not None:
            yield f"{path}: {color} {point} is not a legal move"
            return
        ko = board.play(*point, color)
        if board.get(*point) is None:
            yield f"{path}: {color} {point} is suicide"
    else:
        ko = None
    for child in node:
        yield from illegal_moves(child, board.copy(), ko, f"{path}.")


def all_nodes(node):
    # A game is deeper than Python's recursion limit.
    nodes = [node]
    for node in nodes:
        nodes.extend(node)
    return nodes


def main(original, annotated):
    sys.setrecursionlimit(10_000)
    with open(original, "rb") as file:
        before = sgf.Sgf_game.from_bytes(file.read())
    with open(annotated, "rb") as file:
        after = sgf.Sgf_game.from_bytes(file.read())
    problems, added = [], []
    compare(before.get_root(), after.get_root(), "1", problems, added)
    moves = [[node.get_move() for node in game.get_main_sequence()] for game in (before, after)]
    if moves[0] != moves[1]:
        problems.append("the main line differs")
    for branch in added:
        board, ko = board_before(branch, after.get_size())
        problems.extend(illegal_moves(branch, board, ko, "branch"))
    nodes = all_nodes(after.get_root())
    counts = {name: sum(node.has_property(name) for node in nodes) for name in ("SBKV", "C")}
    problems.extend(f"no node has {name}" for name, n in counts.items() if n == 0)
    print(
        f"{annotated}: sgfmill sees {len(nodes)} nodes, {len(moves[1]) - 1} in the main line, {counts['SBKV']} with "
        f"win rates, {counts['C']} with comments, {len(added)} new branches, {len(problems)} problems"
    )
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
