"use strict";
// What more than one page needs: words that are filled in, and lists in pages.
const wording = (element) => (key, values) => element.dataset[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

const pager = (ids, size, show, words) => {
  const bars = ids.map((id) => document.getElementById(id));
  let places = [];
  let page = 0;
  const last = () => Math.max(0, Math.ceil(places.length / size) - 1);
  const draw = (isThere = false) => {
    if (!isThere) show(places.slice(page * size, (page + 1) * size));
    for (const bar of bars) {
      bar.hidden = last() === 0;
      bar.querySelector("span").textContent = words("pages", { page: page + 1, pages: last() + 1 });
      for (const button of bar.querySelectorAll("button")) {
        const isBack = button.value === "first" || button.value === "previous";
        button.setAttribute("aria-disabled", String(page === (isBack ? 0 : last())));
      }
    }
  };
  const turn = (to) => {
    const target = Math.min(Math.max(to, 0), last());
    if (target === page) return;
    page = target;
    draw();
  };
  const targets = { first: () => 0, previous: () => page - 1, next: () => page + 1, last };
  for (const bar of bars) {
    bar.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) turn(targets[button.value]());
    });
  }
  return {
    fill: (found, isThere) => { places = found; page = 0; draw(isThere); },
    reveal: (place) => turn(Math.floor(places.indexOf(place) / size)),
    print: () => show(places),
    printed: () => draw(),
    has: (place) => places.includes(place),
  };
};

// The list of cases: filters, sorts and pages rows and cards. What is put into the page is either already in it or
// a string that the same templates made; everything else is set as text.
(() => {
  const section = document.getElementById("case-list");
  const source = document.getElementById("data-index");
  if (!section || !source) return;

  const index = JSON.parse(source.textContent);
  const words = wording(section);
  const total = index.anchors.length;
  const everything = Array.from({ length: total }, (_, place) => place);
  const form = section.querySelector("form");
  const heads = [...section.querySelectorAll("thead button")];

  // A list in pieces, each of which is read when something of it is first shown.
  const store = (kind, starts, body) => {
    const kept = [...body.children];
    const read = new Map();
    const group = (number) => {
      if (!read.has(number)) read.set(number, JSON.parse(document.getElementById(`data-${kind}-${number}`).textContent));
      return read.get(number);
    };
    const made = (place) => {
      let number = starts.length - 1;
      while (starts[number] > place) number -= 1;
      const template = document.createElement("template");
      template.innerHTML = group(number)[place - starts[number]];
      return template.content.firstElementChild;
    };
    return (places) => body.replaceChildren(...places.map((place) => kept[place] ?? made(place)));
  };

  const rows = pager(["row-pages"], index.rowPage, store("rows", index.rowStarts, document.getElementById("case-rows")), words);
  const rank = new Map(index.cards.map((place, number) => [place, number]));
  const showCards = store("cards", index.cardStarts, document.getElementById("case-cards"));
  const cards = pager(["card-pages-top", "card-pages"], index.cardPage, (places) => showCards(places.map((place) => rank.get(place))), words);

  let sorting = { column: null, down: false };
  // Sorts plain numbers, as that is quickest: the rank, then the place. What is not known (-1) stands last either way.
  const sorted = () => {
    if (!sorting.column) return everything;
    const key = (rank, place) => (rank < 0 ? total : sorting.down ? total - 1 - rank : rank) * total + place;
    return Array.from(Float64Array.from(index.ranks[sorting.column], key).sort(), (one) => one % total);
  };

  const chosen = () => {
    const fields = new FormData(form);
    const wanted = [...fields].filter(([name, value]) => name !== "search" && value !== "");
    const text = fields.get("search").trim().toLowerCase();
    return (place) =>
      wanted.every(([name, value]) =>
        name === "tags" ? index.tags[place].includes(Number(value)) : index.ranks[name][place] === Number(value),
      ) && index.texts[place].includes(text);
  };

  const update = ({ isFirst = false, isSort = false } = {}) => {
    const isChosen = chosen();
    const found = sorted().filter(isChosen);
    rows.fill(found, isFirst);
    if (!isSort) cards.fill(index.cards.filter(isChosen), isFirst);
    const status = document.getElementById("cases-shown");
    status.textContent = words(found.length ? "shown" : "none", { shown: found.length, all: total });
  };

  const sortBy = (button) => {
    const column = button.dataset.column;
    if (sorting.column !== column) sorting = { column, down: false };
    else sorting = sorting.down ? { column: null, down: false } : { column, down: true };
    for (const head of heads) {
      const state = head.dataset.column !== sorting.column ? "none" : sorting.down ? "descending" : "ascending";
      head.closest("th").setAttribute("aria-sort", state);
    }
    update({ isSort: true });
  };

  // Follow `#case-...` and `#row-...` to whichever page has them.
  const numbers = new Map(index.anchors.map((anchor, place) => [anchor, place]));
  const follow = (hash) => {
    const [, kind, anchor] = /^#(case|row)-(.+)$/.exec(hash) ?? [];
    const place = numbers.get(anchor);
    const list = kind === "case" ? cards : rows;
    if (place === undefined || (kind === "case" && !rank.has(place))) return;
    if (!list.has(place)) { form.reset(); update(); }
    list.reveal(place);
    const target = document.getElementById(`${kind}-${anchor}`);
    if (kind === "case") target.open = true;
    target.scrollIntoView({ behavior: "instant", block: kind === "case" ? "start" : "center" });
    target.querySelector(kind === "case" ? "summary" : "a").focus({ preventScroll: true });
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => update());
  form.querySelector("[type=reset]").addEventListener("click", (event) => {
    event.preventDefault();
    form.reset();
    update();
  });
  for (const head of heads) head.addEventListener("click", () => sortBy(head));
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#case-"], a[href^="#row-"]');
    if (!link) return;
    event.preventDefault();
    history.pushState(null, "", link.hash);
    follow(link.hash);
  });
  addEventListener("hashchange", () => follow(location.hash));
  addEventListener("popstate", () => follow(location.hash));
  update({ isFirst: true }); // the page has what would be drawn
  follow(location.hash);
})();

// The cases of a suite: rows and cards are all in the page; of many, those that are not shown are taken out of it.
(() => {
  const form = document.getElementById("suite-filters");
  if (!form) return;

  const ROWS = 200, CARDS = 50; // of one page of the table and of the cards
  const words = wording(form);
  const number = (text) => (text === "" ? Infinity : Number(text)); // what nobody measured stands last
  const table = document.querySelector(".suite-cases tbody");
  const box = document.querySelector(".cards");
  const cases = [...table.rows].map((row, place) => ({
    row,
    place,
    anchor: row.dataset.card,
    card: document.getElementById(row.dataset.card),
    name: row.dataset.name,
    score: number(row.dataset.score),
    delta: number(row.dataset.delta),
    is: row.dataset.is.split(" "),
  }));
  const rows = pager(["suite-row-pages"], ROWS, (list) => table.replaceChildren(...list.map((one) => one.row)), words);
  const showCards = (list) => box.replaceChildren(...list.map((one) => one.card));
  const cards = pager(["suite-card-pages-top", "suite-card-pages"], CARDS, showCards, words);

  // What a case, its prompt and its graders say, without the words of the page itself; read when it is first searched.
  const textOf = (one) => {
    const parts = one.card?.querySelectorAll("h3, h3 + .quiet, .name, pre, dd") ?? [];
    one.text ??= [one.name, ...[...parts].map((part) => part.textContent)].join("\n").toLowerCase();
    return one.text;
  };

  const names = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const rise = (key) => (one, other) => (one[key] === other[key] ? 0 : one[key] - other[key]);
  const orders = {
    suite: rise("place"),
    score: rise("score"),
    delta: rise("delta"),
    name: (one, other) => names.compare(one.name, other.name),
  };
  const chosen = () => {
    const fields = new FormData(form);
    const text = fields.get("search").trim().toLowerCase();
    const wanted = fields.get("show");
    return cases
      .filter((one) => (!wanted || one.is.includes(wanted)) && (!text || textOf(one).includes(text)))
      .sort(orders[fields.get("order")]);
  };

  const update = () => {
    const found = chosen();
    rows.fill(found);
    cards.fill(found.filter((one) => one.card));
    const said = words(found.length ? "shown" : "none", { shown: found.length, all: cases.length });
    const below = document.getElementById("cards-shown");
    document.getElementById("suite-shown").textContent = below.textContent = said;
    below.hidden = found.length === cases.length;
  };
  const reset = () => { form.reset(); update(); };

  // A link to a card that is not shown leads to its page, and shows all cases again where it was left out.
  const byAnchor = new Map(cases.filter((one) => one.card).map((one) => [`#${one.anchor}`, one]));
  const reveal = (hash) => {
    const one = byAnchor.get(hash);
    if (!one || one.card.isConnected) return null;
    if (!cards.has(one)) reset();
    cards.reveal(one);
    return one.card;
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", update);
  form.querySelector("[type=reset]").addEventListener("click", (event) => { event.preventDefault(); reset(); });
  document.addEventListener("click", (event) => reveal(event.target.closest('a[href^="#case-"]')?.hash));
  addEventListener("hashchange", () => reveal(location.hash)?.scrollIntoView());
  addEventListener("beforeprint", () => { rows.print(); cards.print(); });
  addEventListener("afterprint", () => { rows.printed(); cards.printed(); });
  // Texts of many cases are read before they are searched, a few at a time.
  const unread = [...cases];
  const read = (idle) => {
    while (unread.length && idle.timeRemaining() > 1) textOf(unread.pop());
    if (unread.length) requestIdleCallback(read);
  };
  if (cases.length > CARDS && "requestIdleCallback" in window) requestIdleCallback(read);
  update();
  reveal(location.hash)?.scrollIntoView();
})();

// Print what is folded too, and fold it again.
(() => {
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const one of folded) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of folded) one.open = false;
  });
})();
