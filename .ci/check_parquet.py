"""Opens a collection in DuckDB, Polars and PyArrow and checks its columns.

Usage: python .ci/check_parquet.py COLLECTION [COLLECTION...]

Exits with 0 if every reader finds the documented columns, types and the same
games, otherwise with 1. PyArrow is used only if it is installed; the others
are required.
"""

import sys

import duckdb
import polars

try:
    import pyarrow.parquet
except ImportError:
    pyarrow = None

# The columns of a collection: name, type in DuckDB, Polars and Arrow, and whether it may be empty.
COLUMNS = [
    ("id", "UINTEGER", "UInt32", "uint32", False),
    ("source", "VARCHAR", "String", "string", False),
    ("offset", "UBIGINT", "UInt64", "uint64", False),
    ("size", "UTINYINT", "UInt8", "uint8", False),
    ("komi", "FLOAT", "Float32", "float", True),
    ("handicap", "UTINYINT", "UInt8", "uint8", False),
    ("rules", "VARCHAR", "String", "string", True),
    ("black", "VARCHAR", "String", "string", True),
    ("white", "VARCHAR", "String", "string", True),
    ("black_rank", "VARCHAR", "String", "string", True),
    ("white_rank", "VARCHAR", "String", "string", True),
    ("event", "VARCHAR", "String", "string", True),
    ("round", "VARCHAR", "String", "string", True),
    ("place", "VARCHAR", "String", "string", True),
    ("date", "VARCHAR", "String", "string", True),
    ("date_precision", "VARCHAR", "String", "string", True),
    ("date_start", "DATE", "Date", "date32[day]", True),
    ("result", "VARCHAR", "String", "string", False),
    ("winner", "VARCHAR", "String", "string", True),
    ("margin", "FLOAT", "Float32", "float", True),
    ("setup_black", "VARCHAR", "String", "string", False),
    ("setup_white", "VARCHAR", "String", "string", False),
    ("first_color", "VARCHAR", "String", "string", False),
    ("moves", "VARCHAR", "String", "string", False),
    ("colors", "VARCHAR", "String", "string", True),
    ("n_moves", "USMALLINT", "UInt16", "uint16", False),
    ("line_hash", "UBIGINT", "UInt64", "uint64", False),
    ("near_duplicate_of", "UINTEGER", "UInt32", "uint32", True),
    ("notes", "VARCHAR", "String", "string", True),
]

# Conditions that hold in every row of every collection.
ALWAYS = [
    "length(moves) = 2 * n_moves",
    "n_moves > 0",
    "size between 5 and 25",
    "first_color in ('B', 'W')",
    "winner is null or winner in ('B', 'W')",
    "winner is null or starts_with(result, winner || '+')",
    "margin is null or winner is not null",
    "colors is null or length(colors) = n_moves",
    "length(setup_black) % 2 = 0 and length(setup_white) % 2 = 0",
    "(date is null) = (date_precision is null) and (date is null) = (date_start is null)",
    "date is null or length(date) = case date_precision when 'year' then 4 when 'month' then 7 else 10 end",
    "date is null or starts_with(strftime(date_start, '%Y-%m-%d'), date)",
    "near_duplicate_of is null or near_duplicate_of < id",
]

# The totals that all readers must agree on.
SUMS = ["games", "moves", "players", "dated", "near duplicates"]


def compare(reader, found, expected):
    """The differences between two lists, one line each."""
    lines = [f"{reader}: {a} instead of {b}" for a, b in zip(found, expected) if a != b]
    if len(found) != len(expected):
        lines.append(f"{reader}: {len(found)} columns instead of {len(expected)}")
    return lines


def in_duckdb(path):
    games = duckdb.read_parquet(path)
    found = list(zip(games.columns, map(str, games.types)))
    faults = compare("duckdb", found, [(name, kind) for name, kind, *_ in COLUMNS])
    if faults:
        return faults, None
    for condition in ALWAYS:
        n_broken = games.filter(f"not ({condition})").count("*").fetchall()[0][0]
        if n_broken:
            faults.append(f"duckdb: {n_broken} rows violate: {condition}")
    ids = games.aggregate("count(*), count(distinct id), coalesce(min(id), 0), coalesce(max(id) + 1, 0)").fetchall()[0]
    if not ids[0] == ids[1] == ids[3] or ids[2] != 0:
        faults.append(f"duckdb: ids do not number the rows from 0: {ids}")
    sums = games.aggregate(
        "count(*), coalesce(sum(n_moves), 0), count(black) + count(white), count(date), count(near_duplicate_of)"
    )
    return faults, [int(n) for n in sums.fetchall()[0]]


def in_polars(path):
    games = polars.read_parquet(path)
    found = [(name, str(kind)) for name, kind in games.schema.items()]
    faults = compare("polars", found, [(name, kind) for name, _, kind, *_ in COLUMNS])
    if faults:
        return faults, None
    for name, *_, nullable in COLUMNS:
        if not nullable and games[name].null_count():
            faults.append(f"polars: {name} is empty in {games[name].null_count()} rows")
    n_names = games["black"].count() + games["white"].count()
    sums = [games.height, games["n_moves"].cast(polars.UInt64).sum(), n_names]
    return faults, sums + [games["date"].count(), games["near_duplicate_of"].count()]


def in_pyarrow(path):
    file = pyarrow.parquet.ParquetFile(path)
    found = [(field.name, str(field.type), field.nullable) for field in file.schema_arrow]
    faults = compare("pyarrow", found, [(name, kind, nullable) for name, _, _, kind, nullable in COLUMNS])
    keys = {key.decode() for key in (file.metadata.metadata or {})}
    for key in ["tejun.version", "tejun.schema", "tejun.input_hash", "tejun.parameters"]:
        if key not in keys:
            faults.append(f"pyarrow: the file does not say {key}")
    table = file.read()
    n_there = lambda name: len(table[name]) - table[name].null_count
    sums = [table.num_rows, sum(table["n_moves"].to_pylist()), n_there("black") + n_there("white")]
    return faults, sums + [n_there("date"), n_there("near_duplicate_of")]


def check(path):
    readers = [("duckdb", in_duckdb), ("polars", in_polars)]
    if pyarrow:
        readers.append(("pyarrow", in_pyarrow))
    faults, first = [], None
    for name, read in readers:
        more, sums = read(path)
        faults += more
        print(f"{path}: {name}:", ", ".join(f"{n} {what}" for n, what in zip(sums or [], SUMS)) or "not counted")
        if sums and first and sums != first:
            faults.append(f"{name}: counts {sums}, where the first reader counts {first}")
        first = first or sums
    return faults


def main(paths):
    if not paths:
        print(__doc__, file=sys.stderr)
        return 1
    faults = [f"{path}: {fault}" for path in paths for fault in check(path)]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
