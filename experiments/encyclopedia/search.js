// The list of games, searched by words, by numbers that follow each other, or by lost positions.
// GAMES of games.js has what each game is found by; the list itself stands in the page.
"use strict";

const PLAY = { normal: "under normal play", misere: "under misère play" };
const SHOWN = 12; // numbers of a sequence

/** Small letters without accents. */
function plain(text) {
  return text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");
}

/** What is asked: positions, numbers or words. */
function asked(query) {
  const text = query.trim().replace(/(\s|,|\.{2,}|…)+$/, "");
  const positions = text.match(/\([^()]*\)/g);
  if (positions) return { positions: positions.map((each) => each.match(/-?\d+/g)?.join(",") ?? "") };
  if (/^-?\d+([\s,]+-?\d+)+$/.test(text)) return { numbers: text.match(/-?\d+/g).join(",") };
  return { words: plain(text).split(/\s+/).filter(Boolean) };
}

/** The first place of the numbers in a row of numbers; -1 where they do not stand there. */
function place(numbers, row) {
  const before = `,${row.join(",")},`.indexOf(`,${numbers},`);
  return before < 0 ? -1 : `,${row.join(",")},`.slice(0, before).split(",").length - 1;
}

/** Why a game is found: a rank, the least first, and words; null where it is not. */
function why(game, question) {
  if (question.words) {
    const text = plain(game.words);
    return question.words.every((word) => text.includes(word)) ? { rank: 0, said: "" } : null;
  }
  if (question.positions) {
    for (const [rule, states] of Object.entries(game.losing)) {
      const lost = new Set(states.map((state) => state.join(",")));
      if (question.positions.every((each) => lost.has(each))) return { rank: 0, said: `lost ${PLAY[rule]}` };
    }
    return null;
  }
  const rows = [["values", game.values]];
  for (const [rule, states] of Object.entries(game.losing)) {
    if (states.every((state) => state.length === 1)) rows.push([`lost ${PLAY[rule]}:`, states.flat()]);
  }
  const found = rows.map(([name, row]) => [place(question.numbers, row), name, row]).filter(([at]) => at >= 0);
  if (!found.length) return null;
  const [at, name, row] = found.sort((a, b) => a[0] - b[0])[0];
  const from = at > 1 ? `.., ` : "";
  const start = at > 1 ? at : 0;
  return { rank: at, said: `${name} ${from}${row.slice(start, start + SHOWN).join(", ")}, ..` };
}

/** Show the games that are found, the best first. */
function search(query) {
  const list = document.getElementById("games");
  const question = asked(query);
  const found = [];
  GAMES.forEach((game, order) => {
    const item = document.getElementById(game.name);
    const reason = why(game, question);
    item.hidden = reason === null;
    item.querySelector(".why").textContent = reason?.said ?? "";
    found.push([reason?.rank ?? Infinity, order, item]);
  });
  found.sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] - b[0]));
  list.append(...found.map(([, , item]) => item));
  const count = found.filter(([, , item]) => !item.hidden).length;
  document.getElementById("found").textContent = count ? `${count} ${count === 1 ? "game" : "games"}` : "No game is found.";
}

const field = document.getElementById("query");
field.addEventListener("input", () => search(field.value));
for (const example of document.querySelectorAll(".examples button")) {
  example.addEventListener("click", () => {
    field.value = example.textContent;
    search(field.value);
  });
}
search(field.value); // what the browser has kept of an earlier visit
