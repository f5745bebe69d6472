/* Games of one's own: kept by name in this browser, and deleted only on purpose. */
"use strict";

const Own = {
  PLACE: "icgsynth games",
  DELETED: "deleted", // texts that this tab does not keep again by itself
  memory: {}, // where the browser keeps nothing

  /* The names of the catalog, which no game of one's own may have. */
  catalog: new Set(JSON.parse(document.getElementById("catalog").textContent)),

  /* {name: {text, draft}} in the order in which they were begun; `draft`: it is no game yet. */
  all() {
    try {
      const found = JSON.parse(localStorage.getItem(Own.PLACE) || "{}");
      return Object.fromEntries(Object.entries(found).filter(([, kept]) => typeof kept?.text === "string"));
    } catch {
      return Own.memory;
    }
  },

  write(games) {
    Own.memory = games;
    try {
      localStorage.setItem(Own.PLACE, JSON.stringify(games));
    } catch {
      // A full or a locked browser: they last as long as the page.
    }
  },

  /* The name that rules give themselves; "" where they give none, as those of a board game. */
  nameIn: (text) => /^(?:\s|#.*\n)*(?:game|heaps|piles|blocking)\s+(\w+)/.exec(text)?.[1] || "",

  isBoard: (text) => /^\s*[(;]/.test(text),

  /* What a text without a name is called: as its first comment begins, else in general. */
  titleIn: (text) => /^\s*;+[ \t]*([^\n.:]{1,60})/.exec(text)?.[1].trim() || (Own.isBoard(text) ? "my board game" : "my game"),

  /* The rule of play that a text states by a line `misere`. */
  stated: (text) => (/^\s*misere\s*(#.*)?$/m.test(text || "") ? "misere" : "normal"),

  /* The name under which rules are kept; "" where they are not. */
  named: (text, games = Own.all()) => Object.keys(games).find((name) => games[name].text === text) || "",

  /* A game with rules of its own: a board game has its name with it, as its rules have none. */
  game(text, rule = "", name = "") {
    const made = {text, rule: rule || Own.stated(text)};
    if (Own.isBoard(text)) made.name = Own.named(text) || Own.free(name || Own.titleIn(text), Own.all());
    return made;
  },

  /* The game that is kept under a name, by the rule that it states or else by this one. */
  byName(name, rule = "normal") {
    const kept = Object.hasOwn(Own.all(), name) ? Own.all()[name] : null;
    return kept && Own.game(kept.text, Own.stated(kept.text) === "misere" ? "misere" : rule, name);
  },

  /* The rules of the games that the name of a sum speaks of. */
  inSum(spec) {
    const games = Own.all();
    const names = spec.split("+").map((part) => part.split("*").at(-1).trim());
    return Object.fromEntries(names.filter((name) => Object.hasOwn(games, name)).map((name) => [name, games[name].text]));
  },

  /* A name that no other game has. */
  free(wanted, games) {
    const base = Own.catalog.has(wanted) ? `my_${wanted}` : wanted;
    const taken = (name) => Object.hasOwn(games, name) || Own.catalog.has(name);
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}_${number}`;
      if (!taken(name)) return name;
    }
  },

  /* Keep the rules of a game, unless they are kept, or were deleted; their name. */
  keep(game, draft = false) {
    const games = Own.all();
    const known = Own.named(game.text, games);
    if (known && games[known].draft && !draft) Own.change(known, known, game.text, false);
    if (known || Own.deleted().includes(game.text)) return known;
    const name = Own.free(game.name || Own.nameIn(game.text) || Own.titleIn(game.text), games);
    Own.write({...games, [name]: {text: game.text, draft}});
    return name;
  },

  /* Other rules, or another name, for a game that is kept; it stays at its place in the list. */
  change(name, to, text, draft) {
    const games = Own.all();
    const rest = Object.fromEntries(Object.entries(games).filter(([each]) => each !== name));
    const renamed = to === name ? name : Own.free(to, rest);
    Own.write(Object.fromEntries(Object.entries(games).map(([each, kept]) => (each === name ? [renamed, {...kept, text, draft}] : [each, kept]))));
    return renamed;
  },

  deleted: () => JSON.parse(sessionStorage.getItem(Own.DELETED) || "[]"),

  /* Take a game out of the list; the answer puts it back where it was. */
  remove(name) {
    const before = Own.all();
    const {[name]: gone, ...rest} = before;
    Own.write(rest);
    sessionStorage.setItem(Own.DELETED, JSON.stringify([...Own.deleted(), gone.text]));
    return () => {
      const now = Own.all();
      const order = [...new Set([...Object.keys(before), ...Object.keys(now)])];
      const all = {[name]: gone, ...now};
      Own.write(Object.fromEntries(order.filter((each) => each in all).map((each) => [each, all[each]])));
      sessionStorage.setItem(Own.DELETED, JSON.stringify(Own.deleted().filter((text) => text !== gone.text)));
    };
  },
};

/* What is typed on the page Rules: one game, which is kept while it changes. */
class Draft {
  constructor(text, name = "") {
    this.begun = text; // the rules as they were before anything was typed
    this.name = name; // under which it is kept; "" where it is not, yet
    this.fresh = false; // whether it was first kept while this was typed
    this.whole = true; // whether it was a game when it was kept last
  }

  /* Keep the game as it is now.  A game that was there before keeps its rules where the new text
     gives itself another name: then there are two. */
  keep(game, draft) {
    if (game.text === this.begun && !this.name) return;
    const kept = Own.all()[this.name];
    const wanted = game.name || Own.nameIn(game.text) || Own.titleIn(game.text);
    if (kept && kept.text === game.text && kept.draft === draft) return;
    const rest = (text) => text.replace(Own.nameIn(text), "");
    const before = kept ? Own.nameIn(kept.text) || (game.name && this.name) || Own.titleIn(kept.text) : "";
    if (kept && wanted === before) this.name = Own.change(this.name, this.name, game.text, draft);
    else if (kept && this.fresh && (!this.whole || rest(kept.text) === rest(game.text))) this.name = Own.change(this.name, wanted, game.text, draft);
    else {
      this.fresh = !Own.named(game.text);
      this.name = Own.keep(game, draft);
      if (!this.name) this.name = Own.named(game.text);
    }
    this.whole = !draft;
  }

  /* The text is that of a game of the catalog again: what was begun with it is not needed. */
  drop() {
    if (this.fresh) Own.write(Object.fromEntries(Object.entries(Own.all()).filter(([name]) => name !== this.name)));
    this.name = "";
    this.fresh = false;
  }

  /* Another name, for a board game, whose rules have none. */
  rename(name) {
    const kept = Own.all()[this.name];
    if (kept && name && name !== this.name) this.name = Own.change(this.name, name, kept.text, kept.draft);
    return this.name;
  }
}
