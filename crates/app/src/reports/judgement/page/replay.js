"use strict";
// Steps through the game: board, buttons, keys, the current move on the curves, and the address of the page.
{
  const game = JSON.parse(document.getElementById("game").textContent);
  const replay = document.getElementById("replay");
  const board = replay.querySelector(".diagram svg");
  const find = (selector) => replay.querySelector(selector);

  // Go: a position is an array of points, row by row, each "black", "white" or nothing.

  const neighbors = (point) => {
    const [x, y, size] = [point % game.size, Math.floor(point / game.size), game.size];
    return [x > 0 && point - 1, x < size - 1 && point + 1, y > 0 && point - size, y < size - 1 && point + size]
      .filter((neighbor) => neighbor !== false);
  };

  // The chain of the stone on a point if it has no liberty, else nothing.
  const captured = (stones, start) => {
    const chain = new Set([start]);
    for (const point of chain) {
      for (const neighbor of neighbors(point)) {
        if (!stones[neighbor]) return [];
        if (stones[neighbor] === stones[start]) chain.add(neighbor);
      }
    }
    return [...chain];
  };

  // The moves were checked when the game was read, so ko and occupied points need no care.
  const play = (before, color, point) => {
    const stones = [...before];
    stones[point] = color;
    const remove = (chain) => chain.forEach((stone) => delete stones[stone]);
    for (const neighbor of neighbors(point)) {
      if (stones[neighbor] && stones[neighbor] !== color) remove(captured(stones, neighbor));
    }
    remove(captured(stones, point));
    return stones;
  };

  const pointOf = ([x, y]) => y * game.size + x;
  const start = [];
  game.black.forEach((place) => (start[pointOf(place)] = "black"));
  game.white.forEach((place) => (start[pointOf(place)] = "white"));
  const boards = [start];
  for (const { color, point } of game.positions.slice(1)) {
    const before = boards.at(-1);
    boards.push(point ? play(before, color, pointOf(point)) : before);
  }

  // Drawing. The empty board and the curves are there already; lines are 30 units apart.

  const draw = (parent, name, attributes) => {
    const element = document.createElementNS(board.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  };
  const colors = { black: "#111", white: "#fff" };
  const layer = draw(board, "g", {});
  const circle = (point, attributes) =>
    draw(layer, "circle", { cx: 30 * (point % game.size), cy: 30 * Math.floor(point / game.size), ...attributes });

  const drawBoard = (at) => {
    layer.replaceChildren();
    boards[at].forEach((color, point) => color && circle(point, { r: 14.2, fill: colors[color], stroke: "#111" }));
    const last = game.positions[at];
    if (!last.point) return;
    const ring = last.color === "black" ? "#e69f00" : "#d55e00";
    circle(pointOf(last.point), { r: 9, fill: "none", stroke: ring, "stroke-width": 3 });
  };

  const curves = [...document.querySelectorAll(".curve svg")].map((svg) => {
    const { left, right, top, bottom, last } = svg.dataset;
    return { svg, left: +left, right: +right, top, bottom, last: +last };
  });
  const drawCursor = (at) => {
    for (const { svg, left, right, top, bottom, last } of curves) {
      const x = left + (at / last) * (right - left);
      svg.querySelector(".cursor").setAttribute("d", at > last ? "" : `M${x} ${top}V${bottom}`);
    }
  };

  const signs = document.querySelector(".keys");
  const drawWords = (at) => {
    const { heading, rate, lead, verdict, verdict_name, moment, words } = game.positions[at];
    find(".current b").textContent = heading ?? game.start;
    const pill = find(".current span");
    pill.className = verdict ? `verdict ${verdict}` : "";
    pill.replaceChildren();
    if (verdict) pill.append(signs.querySelector(`.${verdict}`).parentNode.cloneNode(true), verdict_name);
    find(".rate").textContent = rate ?? "–";
    if (find(".lead")) find(".lead").textContent = lead ?? "–";
    const paragraphs = (words ?? []).map((line) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = line;
      return paragraph;
    });
    find(".words").replaceChildren(...paragraphs);
    find(".details").hidden = !moment;
    find(".details a").hash = `move-${at}`;
  };

  // Steps.

  const last = game.positions.length - 1;
  const moments = [...game.positions.keys()].filter((at) => game.positions[at].moment);
  let current = 0;
  const show = (at) => {
    current = Math.min(Math.max(at, 0), last);
    drawBoard(current);
    drawCursor(current);
    drawWords(current);
    for (const button of replay.querySelectorAll("[data-step]")) {
      button.setAttribute("aria-disabled", target(button.dataset.step) === current);
    }
  };

  const target = (step) => {
    if (step === "first") return 0;
    if (step === "last") return last;
    if (step === "next") return moments.find((at) => at > current) ?? current;
    if (step === "previous") return moments.findLast((at) => at < current) ?? current;
    return Math.min(Math.max(current + Number(step), 0), last);
  };

  // A jump can be taken back with the browser's back button; a single step is not worth an entry in its history.
  const go = (at) => {
    if (at === current) return;
    const method = Math.abs(at - current) === 1 ? "replaceState" : "pushState";
    show(at);
    history[method](null, "", `#move-${current}`);
  };

  for (const button of replay.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => go(target(button.dataset.step)));
  }

  const keys = {
    ArrowLeft: "-1", ArrowRight: "1", PageUp: "-10", PageDown: "10",
    Home: "first", End: "last", ArrowUp: "previous", ArrowDown: "next",
  };
  document.addEventListener("keydown", (event) => {
    const step = keys[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // The other keys scroll the page, unless the reader is at the board.
    const isHere = replay.contains(document.activeElement) || !!document.activeElement.closest(".curve");
    if (!isHere && Math.abs(Number(step)) !== 1) return;
    event.preventDefault();
    go(target(step));
  });

  board.addEventListener("click", () => replay.focus({ preventScroll: true }));
  for (const { svg, left, right, last } of curves) {
    svg.addEventListener("click", (event) => {
      const sign = event.target.closest("a");
      const { x, width } = svg.getBoundingClientRect();
      const across = ((event.clientX - x) / width) * svg.viewBox.baseVal.width;
      const at = sign ? numberIn(sign.getAttribute("href")) : Math.round(((across - left) / (right - left)) * last);
      event.preventDefault();
      go(Math.min(Math.max(at, 0), last));
      replay.focus({ preventScroll: true });
    });
  }

  const numberIn = (address) => Number(/^#move-(\d+)$/.exec(address)?.[1] ?? NaN);
  const follow = () => {
    const at = numberIn(location.hash);
    if (at !== current) show(at || 0);
  };
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);

  replay.hidden = false;
  const first = numberIn(location.hash);
  show(first || 0);
  // A move that is not a moment has no place of its own in the page.
  if (first >= 0 && !document.getElementById(location.hash.slice(1))) replay.scrollIntoView();
}
