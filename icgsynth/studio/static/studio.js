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

  /* Work: progress(text) is called as it goes on; abort the signal to cancel it. */
  async work(path, data, progress, signal) {
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
    const words = game.text === undefined ? {game: game.name} : {rules: game.text};
    if (game.rule === "misere") words.rule = "misere";
    for (const [name, number] of Object.entries(game.constants || {})) words["set." + name] = number;
    return words;
  },

  gameOf(words) {
    const game = words.rules === undefined ? {name: words.game} : {text: words.rules};
    game.rule = words.rule === "misere" ? "misere" : "normal";
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

  OWN: "(your rules)",
  game: null,
  page: document.querySelector("nav [aria-current]").pathname,

  /* The game that the page begins with: what the address says, what the command line named, or Nim. */
  begun(words) {
    const named = words.game !== undefined || words.rules !== undefined;
    return named ? Studio.gameOf(words) : {rule: "normal", ...(Studio.opened().game || {name: "nim2"})};
  },

  /* What the page is about from now on: its fields say so, and the other pages open it. */
  setGame(game) {
    const fields = {game: game.text === undefined ? game.name : Studio.OWN, rule: game.rule || "normal"};
    for (const [id, value] of Object.entries(fields)) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
    Studio.game = game;
    Studio.keep("game", new URLSearchParams(Studio.wordsOf(game)));
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
    const same = Studio.game && (name === Studio.OWN || name === Studio.game.name);
    return same ? {...Studio.game, rule} : {name: name.toLowerCase(), rule};
  },

  /* The address of a page: as it was left if it was about the same game, else with the game. */
  addressOf(page) {
    const [left, game] = [page, "game"].map((key) => sessionStorage.getItem(key) || "");
    const gameIn = (text) => JSON.stringify(Studio.wordsOf(Studio.gameOf(Object.fromEntries(new URLSearchParams(text)))));
    const same = page === "/gallery" || (left && gameIn(left) === gameIn(game));
    return `${page}#${same ? left : game}`;
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
    document.getElementById("games").replaceChildren(...games.map(({name, title}) => Studio.make("option", {value: name}, title)));
    return Object.fromEntries(games.map(({name, title}) => [name, title]));
  },

  /* --- files ------------------------------------------------------------------------------ */

  /* What of the page goes into a file beside the game: {tree, role}, {rules, losing}, or nothing. */
  made: () => ({}),

  /* Rules open in Rules, an answer in Play, a tree in Build. */
  async openFile(file) {
    const found = await Studio.ask("/files/open", {name: file.name, text: await file.text(), game: Studio.game});
    const words = Studio.wordsOf(found.game);
    const {tree = "", player = ""} = found;
    const page = found.answer ? "/play" : tree ? "/build" : "/rules";
    const address = new URL(`${page}#${new URLSearchParams(tree ? {...words, tree, player} : words)}`, location).href;
    if (address === location.href) location.reload();
    else location.assign(address);
  },

  async saveAs(format) {
    const tell = (text) => document.getElementById("filed").replaceChildren(text);
    const [game, made] = [Studio.game, Studio.made()];
    const isOwn = Object.keys(made).length > 0;
    if (format !== "rules" && !isOwn) await Studio.work("/play/solve", {game, seconds: 60}, tell);
    const {name, data} = await Studio.work("/files/save", {game, format, ...made, seconds: 60}, tell);
    tell("");
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const link = Studio.make("a", {href: URL.createObjectURL(new Blob([bytes])), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
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
    return make("div", {class: "wide"}, make("table", {class: "remainders"}, make("caption", {class: "soft"}, "By remainders, whoever is to move"), head,
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

addEventListener("DOMContentLoaded", () => {
  const at = (id) => document.getElementById(id);
  const trying = (done) => done.catch((fault) => Studio.showFault(at("filed"), fault));
  at("open-file").addEventListener("click", () => at("file").click());
  at("file").addEventListener("change", () => at("file").files.length && trying(Studio.openFile(at("file").files[0])));
  at("save").addEventListener("click", ({target}) => {
    if (!target.value) return;
    at("save").open = false;
    trying(Studio.saveAs(target.value));
  });
});

/* The token is in a cookie by now; the address that people copy need not hold it.  It is a new
   studio, which knows nothing of what this tab showed before. */
if (new URLSearchParams(location.search).has("token")) {
  sessionStorage.clear();
  history.replaceState(null, "", location.pathname + location.hash);
}
