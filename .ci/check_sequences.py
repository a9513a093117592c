"""Opens a Parquet file of sequences in DuckDB and Polars and checks its columns.

Usage: python .ci/check_sequences.py FILE

Exits with 0 if both readers find the documented columns and the same rows,
otherwise with 1.
"""

import sys

import duckdb
import polars

COLUMNS = [
    "rank", "name", "score", "n_moves", "moves", "setup_black", "setup_white", "region", "class", "n_played",
    "n_games", "n_same_shape", "n_same_around", "n_tenuki", "continuations", "continuation_counts",
    "n_first_side_won", "n_with_winner", "first_year", "last_year",
]

# Conditions that hold in every row.
ALWAYS = [
    "length(moves) = 2 * n_moves",
    "n_played >= 2",
    "n_games <= n_played and n_same_around <= n_played and n_tenuki <= n_played",
    "len(continuations) = len(continuation_counts)",
    "class in ('A', 'B', 'C', 'D')",
    "region in ('corner', 'side', 'center')",
    "n_first_side_won <= n_with_winner",
]


def main(path):
    table = duckdb.read_parquet(path)
    frame = polars.read_parquet(path)
    problems = []
    for reader, columns in (("DuckDB", table.columns), ("Polars", frame.columns)):
        if list(columns) != COLUMNS:
            problems.append(f"{reader}: columns {columns}")
    for condition in ALWAYS:
        n_bad = table.filter(f"not ({condition})").count("*").fetchall()[0][0]
        if n_bad:
            problems.append(f"{n_bad} rows violate {condition}")
    ranks = [row[0] for row in table.project("rank").fetchall()]
    if ranks != list(range(1, len(ranks) + 1)) or ranks != frame["rank"].to_list():
        problems.append("ranks are not 1, 2, 3, ...")
    print(f"{path}: {len(ranks)} sequences, {len(problems)} problems")
    for problem in problems:
        print(problem)
    return 1 if problems or not ranks else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
