/* What all pages of the studio use: questions to the server, the address, faults. */
"use strict";

const Studio = {
  /* The answer to POST path; throws a fault {message, mend, line, ..} where there is none. */
  async ask(path, data, signal) {
    const answer = await Studio.post(path, data, signal);
    const value = await answer.json();
    if (value.fault) throw value.fault;
    return value;
  },

  /* Work: progress(text, time) is called as it goes on; abort the signal to cancel it. */
  async work(path, data, progress, signal) {
    const clock = Studio.clock(progress, data.seconds);
    try {
      return await Studio.result(path, data, clock.say, signal);
    } finally {
      clock.stop();
    }
  },

  /* Calls `progress` with what is said, and each second with the time: how long it has been going
     on, and how long it may.  Time in which it waits for other work does not count. */
  clock(progress, seconds) {
    const WAITS = "waiting for other work";
    let text = "at work", begun = Date.now();
    const told = () => {
      const passed = Math.floor((Date.now() - begun) / 1000);
      const left = text === WAITS || !seconds ? "" : `, at most ${Math.max(0, Math.ceil(seconds) - passed)} s left`;
      progress(text, `${passed} s so far${left}`);
    };
    const timer = setInterval(told, 1000);
    const say = (said) => {
      if (text === WAITS && said !== WAITS) begun = Date.now();
      text = said;
      told();
    };
    return {say, stop: () => clearInterval(timer)};
  },

  /* Shows in an element what work says, and the time, which is not read aloud each second. */
  tells: (element) => (text, time) => {
    let [said, clock] = element.children;
    if (!clock) {
      [said, clock] = [Studio.make("span"), Studio.make("span", {class: "clock", "aria-hidden": "true"})];
      element.replaceChildren(said, clock);
    }
    if (said.textContent !== text) said.textContent = text;
    clock.textContent = time && `: ${time}`;
  },

  async result(path, data, progress, signal) {
    const answer = await Studio.post(path, data, signal);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const {done, value} = await reader.read().catch(() => {
        throw signal?.aborted ? {message: "cancelled", cancelled: true} : {message: "the server has ended", mend: "start icgsynth studio again"};
      });
      if (done) throw {message: "the server has ended", mend: "start icgsynth studio again"};
      text += value;
      const events = text.split("\n\n");
      text = events.pop();
      for (const event of events) {
        if (!event.startsWith("data: ")) continue;
        const message = JSON.parse(event.slice(6));
        if (message.progress !== undefined) progress(message.progress);
        if (message.result === undefined) continue;
        if (message.result.fault) throw message.result.fault;
        return message.result;
      }
    }
  },

  async post(path, data, signal) {
    const headers = {"Content-Type": "application/json"};
    let answer;
    try {
      answer = await fetch(path, {method: "POST", headers, body: JSON.stringify(data), signal});
    } catch (error) {
      if (error.name === "AbortError") throw {message: "cancelled", cancelled: true};
      throw {message: "the server does not answer", mend: "start icgsynth studio again"};
    }
    if (!answer.ok && answer.status !== 400) throw {message: (await answer.text()).trim()};
    return answer;
  },

  /* The part of the address after #, as an object of texts: what a permalink says.  Without one
     it is that of the game that this page, or another one, was about before. */
  fragment() {
    const hash = location.hash || new URL(Studio.addressOf(Studio.page), location).hash;
    return Object.fromEntries(new URLSearchParams(hash.slice(1)));
  },

  /* `notes` are no part of the address, but this tab keeps them with it. */
  setFragment(words, notes = null) {
    const kept = Object.entries(words).filter(([, value]) => value !== "" && value != null);
    history.replaceState(notes, "", "#" + new URLSearchParams(kept));
    Studio.address = location.hash;
    Studio.keep(Studio.page, location.hash.slice(1));
    Studio.keep(`notes ${Studio.page}`, JSON.stringify({hash: location.hash, notes}));
  },

  /* The notes of an address: of this step of the history, or as the page was left. */
  notes() {
    const {hash, notes} = JSON.parse(sessionStorage.getItem(`notes ${Studio.page}`) || "{}");
    return history.state || (hash === location.hash && notes) || [];
  },

  /* Another game: the one before is where Back leads. */
  turnPage() {
    history.pushState(null, "", location.href);
  },

  /* Calls `read` where someone changed the address, and not the page itself. */
  onAddress(read) {
    addEventListener("hashchange", () => location.hash !== Studio.address && read());
  },

  /* How a permalink names a game, and the game that one names. */
  wordsOf(game) {
    const words = game.text === undefined ? {game: game.name} : {rules: game.text, name: game.name};
    if (words.name === undefined) delete words.name;
    if ((game.rule || "normal") !== Own.stated(game.text)) words.rule = game.rule || "normal";
    for (const [name, number] of Object.entries(game.constants || {})) words["set." + name] = number;
    return words;
  },

  gameOf(words) {
    const rule = ["misere", "normal"].includes(words.rule) ? words.rule : "";
    const game = words.rules === undefined ? {name: words.game, rule: rule || "normal"} : Own.game(words.rules, rule, words.name);
    const constants = {};
    for (const [key, value] of Object.entries(words)) {
      if (key.startsWith("set.")) constants[key.slice(4)] = Number(value);
    }
    if (Object.keys(constants).length) game.constants = constants;
    return game;
  },

  /* What the command line named: {game, answer}, or {}. */
  opened() {
    return JSON.parse(document.getElementById("opened").textContent);
  },

  /* --- the game that all pages are about -------------------------------------------------- */

  game: null,
  page: document.querySelector("nav [aria-current]").pathname,

  /* The game that the page begins with: what the address says, what the command line named, or Nim. */
  begun(words) {
    const named = words.game !== undefined || words.rules !== undefined;
    if (named) return Studio.gameOf(words);
    const opened = Studio.opened().game || {name: "nim2"};
    return opened.text === undefined ? {rule: "normal", ...opened} : {...opened, ...Own.game(opened.text, opened.rule, opened.name)};
  },

  /* What a game is called in the field where one is chosen. */
  nameOf: (game) => (game.text === undefined ? game.name : Own.named(game.text) || game.name || Own.nameIn(game.text) || "your rules"),

  /* The game that the other pages are about; null where none was opened in this tab. */
  current() {
    const kept = sessionStorage.getItem("game");
    return kept ? Studio.gameOf(Object.fromEntries(new URLSearchParams(kept))) : null;
  },

  /* What the page is about from now on: its fields say so, and the other pages open it.  Rules of
     one's own are kept, unless the page does that itself. */
  setGame(game, keeps = true) {
    if (keeps && game.text !== undefined) {
      Own.keep(game);
      Studio.showGames();
    }
    const fields = {game: Studio.nameOf(game), rule: game.rule || "normal"};
    for (const [id, value] of Object.entries(fields)) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
    Studio.game = game;
    Studio.keep("game", new URLSearchParams(Studio.wordsOf(game)));
    Studio.linkPages();
    Studio.greyPages(game);
  },

  /* The links of the navigation lead to this game. */
  linkPages() {
    for (const link of document.querySelectorAll("nav a")) link.href = Studio.addressOf(link.pathname);
  },

  /* The constants of a family, each a number with a slider; `changed` is called while one moves.
     Where they are the same names as before, they stay, and with them who drags one. */
  showConstants(constants, changed) {
    const {make} = Studio;
    const place = document.getElementById("constants");
    const later = Studio.debounced(200, changed);
    const names = Object.keys(constants);
    const fields = [...place.querySelectorAll("input[type=number]")];
    if (fields.map((field) => field.name).join() === names.join()) {
      for (const field of fields) if (field.value !== String(constants[field.name])) field.put(constants[field.name]);
      return;
    }
    place.replaceChildren(...Object.entries(constants).map(([name, value]) => {
      const number = make("input", {type: "number", class: "constant", name, value});
      const slider = make("input", {type: "range", "aria-label": `${name}, as a slider`, min: Math.min(0, value), max: Math.max(12, 2 * value), value});
      number.put = (to) => { slider.max = Math.max(slider.max, 2 * to); number.value = slider.value = to; };
      slider.addEventListener("input", () => { number.value = slider.value; later(); });
      number.addEventListener("input", () => { slider.value = number.value; if (number.value) later(); });
      return make("span", {class: "constant-part"}, make("label", {}, `${name} = `, number), slider);
    }));
  },

  /* {constants} as the fields have them; {} where the game has none. */
  constants() {
    const fields = [...document.querySelectorAll("#constants input[type=number]")];
    return fields.length ? {constants: Object.fromEntries(fields.map((field) => [field.name, Number(field.value)]))} : {};
  },

  /* A button that shows one part of the page as large as the screen, and Escape undoes it. */
  enlarges(button, part) {
    button.hidden = !document.fullscreenEnabled; // some telephones have none
    button.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : part.requestFullscreen()));
    part.addEventListener("fullscreenchange", () => {
      button.textContent = document.fullscreenElement ? "Small board" : "Large board";
      button.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
    });
  },

  /* The game that the fields name: another one, or the same by the other rule. */
  chosen() {
    const [name, rule] = ["game", "rule"].map((id) => document.getElementById(id).value.trim());
    const same = Studio.game && name === Studio.nameOf(Studio.game);
    return same ? {...Studio.game, rule} : Own.byName(name, rule) || {name: Studio.spelled(name), rule};
  },

  /* Names of the catalog are in small letters; those of one's own are as they are. */
  spelled: (name) => name.replace(/\w+/g, (word) => (Object.hasOwn(Own.all(), word) ? word : word.toLowerCase())),

  /* The address of a page: as it was left if it was about the same game, else with the game. */
  addressOf(page) {
    const [left, game] = [page, "game"].map((key) => sessionStorage.getItem(key) || "");
    const gameIn = (text) => JSON.stringify(Studio.wordsOf(Studio.gameOf(Object.fromEntries(new URLSearchParams(text)))));
    const same = page === "/gallery" || (left && gameIn(left) === gameIn(game));
    return `${page}#${same ? left : game}`;
  },

  /* --- the strategy that Play and Build share ---------------------------------------------- */

  /* Whether the page was opened as it was left, or by the navigation, and not by another address. */
  isLeft: () => !location.hash || [Studio.page, "game"].some((key) => location.hash.slice(1) === sessionStorage.getItem(key)),

  /* The current strategy of a game: `trees` by the role, `role` of the last one; of an impartial
     game `made` by hand, {losing, rules}. */
  shared(game) {
    const kept = JSON.parse(sessionStorage.getItem("strategy") || "{}");
    return kept.of === JSON.stringify(Studio.wordsOf(game)) ? kept : {trees: {}, role: "", made: null};
  },

  share(game, news) {
    const before = Studio.shared(game);
    const trees = {...before.trees, ...news.trees};
    Studio.keep("strategy", JSON.stringify({...before, ...news, trees, of: JSON.stringify(Studio.wordsOf(game))}));
  },

  /* In this tab; what is too long to be kept is in its own page alone. */
  keep(key, text) {
    try {
      sessionStorage.setItem(key, text);
    } catch {
      sessionStorage.removeItem(key);
    }
  },

  /* The names to choose from in the field of the game; their titles. */
  async listGames(path = "/play/games") {
    const {games} = await Studio.ask(path, {});
    Studio.listed = games;
    Studio.showGames();
    return Object.fromEntries(games.map(({name, title}) => [name, title]));
  },

  listed: [],

  /* One's own games stand before those of the catalog. */
  showGames() {
    const own = Object.keys(Own.all()).map((name) => ({name, title: "your game"}));
    document.getElementById("games")?.replaceChildren(...[...own, ...Studio.listed].map(({name, title}) => Studio.make("option", {value: name}, title)));
  },

  /* <tag class="..">text or children</tag>; text stays text. */
  make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  },

  /* A picture that the server has drawn, as wide as its place. */
  showDrawn(place, text) {
    const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    drawn.removeAttribute("width");
    drawn.removeAttribute("height");
    place.replaceChildren(drawn);
  },

  /* What is known of an impartial game, to be read: who loses, what to do, what the words mean. */
  answerOf(found) {
    const {make} = Studio;
    const proved = found.status === "solved";
    const steps = found.rules.map((rule, index) => make("li", {}, make("code", {}, rule), found.words[index] ? make("p", {class: "soft"}, found.words[index]) : null));
    return [
      make("p", {}, "Whoever is to move loses exactly where ", make("code", {}, found.losing), "."),
      Studio.remainders(found.remainders),
      ...(steps.length ? [make("p", {}, "To win from any other state, make the first move that applies:"), make("ol", {class: "rules", id: "rules"}, ...steps)] : []),
      ...(found.meanings.length ? [make("div", {class: "soft meanings"}, ...found.meanings.map((text) => make("p", {}, text)))] : []),
      make("p", {class: proved ? "proved" : "soft"}, proved ? "✓ Proved for all states." : "Not proved for all states: see the whole answer."),
      make("details", {}, make("summary", {}, "The whole answer"), make("pre", {}, found.report)),
    ];
  },

  /* Who loses by remainders, as a table; an empty text where the answer is not about them. */
  remainders(found) {
    if (!found) return "";
    const {make} = Studio;
    const {modulus, names, rows} = found;
    const cell = (loses) => make("td", {class: loses ? "loss" : "win"}, loses ? "loses" : "wins");
    const head = make("tr", {}, make("th", {scope: "row"}, `${names.at(-1)} mod ${modulus}`), ...rows[0].map((_, index) => make("th", {scope: "col"}, String(index))));
    const left = (index) => (names.length > 1 ? `${names[0]} mod ${modulus} = ${index}` : "to move");
    return make("div", {class: "wide", role: "group", "aria-label": "Who loses by remainders"}, make("table", {class: "remainders"}, make("caption", {class: "soft"}, "By remainders, whoever is to move"), head,
      ...rows.map((row, index) => make("tr", {}, make("th", {scope: "row"}, left(index)), ...row.map(cell)))));
  },

  /* Show a fault in an element, and further ones of the same text: the message, the line with its
     caret, the mend; goTo(line, column), where there is one, is behind a button. */
  showFault(element, fault, goTo) {
    if (!fault.message) throw fault;
    const {make} = Studio;
    const shown = (each) => make("div", {class: "fault", role: "alert"},
      make("p", {}, make("strong", {}, each.line ? `Line ${each.line}, column ${each.column}: ` : ""), each.message),
      each.excerpt ? make("pre", {}, each.excerpt) : null,
      each.mend ? make("p", {class: "mend"}, each.mend) : null,
      each.line && goTo ? make("button", {type: "button", onclick: () => goTo(each.line, each.column)}, "Go to the place") : null);
    element.replaceChildren(...[fault, ...(fault.others || [])].map(shown));
  },

  /* A function that runs once its calls have paused for so many milliseconds. */
  debounced(milliseconds, run) {
    let timer = 0;
    return (...given) => {
      clearTimeout(timer);
      timer = setTimeout(() => run(...given), milliseconds);
    };
  },
};

/* The token is in a cookie by now; the address that people copy need not hold it.  It is a new
   studio, which knows nothing of what this tab showed before. */
if (new URLSearchParams(location.search).has("token")) {
  sessionStorage.clear();
  history.replaceState(null, "", location.pathname + location.hash);
}
