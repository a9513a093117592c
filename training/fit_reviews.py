#!/usr/bin/env python3
"""Fits how reliable the search is (`Reliability` in crates/knowledge/src/judging/estimates.rs) to games with values.

    tejun judge GAMES --output-dir judged
    python fit_reviews.py values.jsonl judged

values.jsonl has a line per game: id, moves, win_rate_black; judged/ID.jsonl is what `tejun judge` wrote. Chooses on
all games but one fifth, measures on that fifth, five times; then prints the choice on all games.
"""

import glob
import itertools
import json
import os
import sys

import numpy as np


def load(values, folder):
    truth = {}
    with open(values, encoding="utf-8") as file:
        for line in file:
            game = json.loads(line)
            truth[game["id"]] = game["win_rate_black"]
    games = []
    for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        true = truth.get(os.path.basename(path)[:-6])
        if true is None:
            continue
        with open(path, encoding="utf-8") as file:
            moves = [json.loads(line) for line in file][1:]
        if any(m["number"] != i + 1 for i, m in enumerate(moves)):
            continue
        black = np.array([m["color"] == "black" for m in moves])
        mover = np.array([m["signals"]["best_win_rate_mover"] for m in moves], float)
        value = np.where(black, mover, 1 - mover)
        lead = np.array([np.nan if m["signals"]["best_lead"] is None else max(0, m["signals"]["best_lead"]) for m in moves])
        true = np.array([np.nan if v is None else v for v in true[: len(moves) + 1]] + [np.nan] * 2, float)[: len(moves) + 1]
        spans = sorted({(m["exchange"]["first"] - 1, m["exchange"]["last"] - 1) for m in moves if m["exchange"]})
        preferred = np.array([bool(m["best"]) and m["best"][0]["point"] == m["point"] for m in moves])
        games.append(dict(black=black, value=value, lead=lead, true=true, spans=spans, preferred=preferred, moves=moves))
    return games


def side_bias(value, black):
    d = (value[1:-1] - (value[:-2] + value[2:]) / 2) / 2
    return np.sort(np.where(black[1:-1], d, -d))[len(d) // 2]


def follow(game, noise, believed, drift, doubt):
    """The same computation as `follow` in estimates.rs."""
    value, black, lead = game["value"], game["black"], game["lead"]
    n = len(value)
    y = value - np.where(black, 1, -1) * side_bias(value, black)
    starts = {a: b for a, b in game["spans"] if b < n - 1}
    steps, at = [], 0
    while at < n - 1:
        to = starts.get(at, at) + 1
        d = np.where(black[at:to], -lead[at:to], lead[at:to])
        known = d[~np.isnan(d)]
        change = 0.0 if at in starts else believed * known.sum()
        q = drift * (2 if np.isnan(d).any() else 1)
        steps.append((at, to, change, q * q + (doubt * np.abs(known).max(initial=0)) ** 2))
        at = to
    places = [0] + [s[1] for s in steps]
    pm, pv, fm, fv = [value[0]], [1.0], [], []
    for i, place in enumerate(places):
        r = noise**2 * min(1, max(0.1, 4 * pm[i] * (1 - pm[i])))
        g = pv[i] / (pv[i] + r)
        fm.append(pm[i] + g * (y[place] - pm[i]))
        fv.append((1 - g) * pv[i])
        if i < len(steps):
            pm.append(fm[i] + steps[i][2])
            pv.append(fv[i] + steps[i][3])
    sm, sv = fm[:], fv[:]
    x, loss, error = np.full(n, np.nan), np.zeros(n), np.full(n, np.nan)
    for i in range(len(steps) - 1, -1, -1):
        g = fv[i] / pv[i + 1]
        sm[i] = fm[i] + g * (sm[i + 1] - pm[i + 1])
        sv[i] = fv[i] + g * g * (sv[i + 1] - pv[i + 1])
        change = sm[i + 1] - sm[i]
        var = sv[i] + sv[i + 1] - 2 * g * sv[i + 1]
        a, b = steps[i][:2]
        losers = [k for k in range(a, b) if black[k] == (change < 0)]
        costly = max(losers, key=lambda k: (np.nan_to_num(lead[k]), -k)) if losers else a
        x[a:b] = [sm[i] + (change if k > costly else 0) for k in range(a, b)]
        error[a:b] = np.sqrt(max(var, 0))
        loss[costly] = max(0, -change if black[costly] else change)
    x[places[-1]] = sm[-1]
    return x, loss, error


def true_losses(game):
    t = game["true"]
    return np.where(game["black"], t[:-1] - t[1:], t[1:] - t[:-1])


def area(high, low):
    return (np.mean(high[:, None] > low[None]) + np.mean(high[:, None] == low[None]) / 2) if len(high) and len(low) else np.nan


def figures(games, setting):
    x, t, own, true = [], [], [], []
    for game in games:
        rate, loss, _ = follow(game, *setting)
        x.append(rate), t.append(game["true"][:-1]), own.append(loss), true.append(true_losses(game))
    x, t, own, true = map(np.concatenate, (x, t, own, true))
    k, m = ~np.isnan(x + t), ~np.isnan(own + true)
    own, true = own[m], true[m]
    return dict(
        error=np.abs(x - t)[k].mean(),
        correlation=np.corrcoef(x[k], t[k])[0, 1],
        loss_correlation=np.corrcoef(own, true)[0, 1],
        area=area(own[true >= 0.1], own[true < 0.03]),
    )


def score(f):
    return f["loss_correlation"] + f["area"] - 2 * f["error"]


def verdicts(games, setting, bad, doubtful, margin, sureness):
    rows = []
    for game in games:
        _, loss, error = follow(game, *setting)
        true = true_losses(game)
        for i in range(len(loss)):
            if np.isnan(true[i]):
                continue
            refuted = not game["preferred"][i] and not game["lead"][i] <= margin
            name = "other"
            if refuted and loss[i] >= doubtful and loss[i] >= sureness * error[i]:
                name = "bad" if loss[i] >= bad else "doubtful"
            rows.append((name, true[i]))
    out = {}
    for name in ("bad", "doubtful", "other"):
        lost = np.array([t for n, t in rows if n == name])
        out[name] = (len(lost), lost.mean() if len(lost) else np.nan, (lost < 0.03).mean() if len(lost) else np.nan)
    grave = [n for n, t in rows if t >= 0.15]
    out["caught"] = sum(n != "other" for n in grave), len(grave)
    return out


def main():
    games = load(sys.argv[1], sys.argv[2])
    grid = list(itertools.product((0.05, 0.08, 0.12, 0.16), (0.2, 0.4, 0.6, 0.8, 1.0), (0.005, 0.01, 0.02, 0.03), (0.25, 0.5, 1.0)))
    print(f"{len(games)} games, {len(grid)} settings (noise, believed, drift, doubt)")
    raw = [np.corrcoef(np.nan_to_num(g["lead"][~np.isnan(true_losses(g))]), true_losses(g)[~np.isnan(true_losses(g))])[0, 1] for g in games]
    print(f"loss within the tree alone: correlation {np.mean(raw):.3f} on average over games")
    folds = 5
    held = []
    for fold in range(folds):
        rest = [g for i, g in enumerate(games) if i % folds != fold]
        best = max(grid, key=lambda s: score(figures(rest, s)))
        held.append(figures([g for i, g in enumerate(games) if i % folds == fold], best))
        print("fold", fold, best, {k: round(float(v), 3) for k, v in held[-1].items()})
    print("cross-validated:", {k: round(float(np.nanmean([h[k] for h in held])), 3) for k in held[0]})
    best = max(grid, key=lambda s: score(figures(games, s)))
    print("on all games:", best, {k: round(float(v), 3) for k, v in figures(games, best).items()})
    for bad, doubtful, sureness in itertools.product((0.08, 0.10, 0.12, 0.15, 0.20), (0.05, 0.06, 0.08), (0.7, 1.0, 1.5)):
        v = verdicts(games, best, bad, doubtful, 0.015, sureness)
        print(bad, doubtful, sureness, {k: tuple(round(float(x), 3) for x in n) for k, n in v.items()})


if __name__ == "__main__":
    main()
