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

  /* The part of the address after #, as an object of texts: what a permalink says. */
  fragment() {
    return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  },

  /* `notes` are no part of the address, but a reload keeps them, as history.state. */
  setFragment(words, notes = null) {
    const kept = Object.entries(words).filter(([, value]) => value !== "" && value != null);
    history.replaceState(notes, "", "#" + new URLSearchParams(kept));
    Studio.address = location.hash;
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

/* The token is in a cookie by now; the address that people copy need not hold it. */
if (new URLSearchParams(location.search).has("token")) {
  history.replaceState(null, "", location.pathname + location.hash);
}
