"""Opens a Parquet file of leaving positions in DuckDB and Polars and checks it.

Usage: python .ci/check_leaving.py FILE POSITIONS ENTROPY

POSITIONS and ENTROPY are the numbers printed by `tejun book match`. Exits with 0 if both
readers find the documented columns, the probabilities sum to 1 and give that
entropy in bits, otherwise with 1.
"""

import sys

import duckdb
import polars

COLUMNS = ["rank", "probability", "ply", "moves", "position", "key", "value_first", "winrate_first"]

# Conditions that hold in every row.
ALWAYS = [
    "probability > 0 and probability <= 1",
    "len(string_split(moves, ' ')) = ply or (ply = 0 and moves = '')",
    "length(key) = 32",
    "length(position) > 0",
    "(value_first is null) = (winrate_first is null)",
    "winrate_first is null or winrate_first between 0 and 1",
]


def main(path, n_positions, entropy):
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
    sums = "count(*), count(distinct key), sum(probability), -sum(probability * log2(probability))"
    n_rows, n_keys, total, bits = table.aggregate(sums).fetchall()[0]
    if not n_rows == n_keys == n_positions == frame.height:
        problems.append(f"{n_rows} rows, {frame.height} in Polars, and {n_keys} keys instead of {n_positions}")
    for name, sum_ in (("DuckDB", total), ("Polars", frame["probability"].sum())):
        if abs(sum_ - 1) > 1e-9:
            problems.append(f"{name}: probabilities sum to {sum_}")
    if abs(bits - entropy) > 5e-5:
        problems.append(f"an entropy of {bits:.6f} bits instead of {entropy}")
    if frame["rank"].to_list() != list(range(1, frame.height + 1)) or not frame["probability"].is_sorted(descending=True):
        problems.append("rows are not ranked by their probability")
    print(f"{path}: {n_rows} leaving positions, {bits:.4f} bits, {len(problems)} problems")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
