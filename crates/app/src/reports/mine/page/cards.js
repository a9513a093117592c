"use strict";
{
  const form = document.getElementById("controls");
  const list = document.getElementById("cards");
  const count = document.getElementById("count");

  // Without accents, so that "Chikun" and "chikún" are one.
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  const cards = [...list.children].map((element) => {
    const data = element.dataset;
    const said = [...element.querySelectorAll("h2, .moves, .players span")].map((part) => part.textContent);
    const runs = data.years ? data.years.split(" ").map((run) => run.split("-").map(Number)) : [];
    const keys = ["rank", "played", "moves", "win", "tenuki"].map((key) => [key, Number(data[key])]);
    return { element, runs, text: fold(said.join(" ")), ...data, ...Object.fromEntries(keys) };
  });

  // A point is a word of its own: R1 is not found in R14.
  const test = (word) => {
    if (!/^[a-z]\d\d?$/.test(word)) return (text) => text.includes(word);
    const point = new RegExp(`\\b${word}\\b`);
    return (text) => point.test(text);
  };

  const filter = (wanted) => {
    const tests = fold(wanted.get("text")).split(/\s+/).filter(Boolean).map(test);
    const classes = wanted.getAll("class");
    const place = wanted.get("place");
    const least = Number(wanted.get("least"));
    const from = Number(wanted.get("from"));
    const to = Number(wanted.get("to")) || Infinity;
    const anyYear = !from && to === Infinity;
    let shown = 0;
    for (const card of cards) {
      const fits =
        card.moves >= least &&
        (!place || card.place === place) &&
        (!classes.length || classes.includes(card.class)) &&
        (anyYear || card.runs.some(([first, last]) => first <= to && last >= from)) &&
        tests.every((isIn) => isIn(card.text));
      card.element.hidden = !fits;
      shown += fits;
    }
    count.textContent = `showing ${shown} of ${cards.length}`;
  };

  let order = "rank+";
  const sort = (key, reversed) => {
    const wanted = key + (reversed ? "-" : "+");
    if (order === wanted) return;
    order = wanted;
    // Ranks are sorted from the lowest, everything else from the highest; unknown values come last.
    const sign = (key === "rank") !== reversed ? -1 : 1;
    cards.sort((a, b) => isNaN(a[key]) - isNaN(b[key]) || sign * (b[key] - a[key]) || a.rank - b.rank);
    list.append(...cards.map((card) => card.element));
  };

  const update = () => {
    const wanted = new FormData(form);
    sort(wanted.get("sort"), wanted.has("reverse"));
    filter(wanted);
  };

  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(update));
  // A link to a card that is filtered out clears the filters first.
  list.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const card = link && document.getElementById(link.hash.slice(1));
    if (!card || !card.hidden) return;
    form.reset();
    update();
  });
  form.hidden = false;
  update();
}
