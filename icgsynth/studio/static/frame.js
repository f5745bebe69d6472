/* What stands around every page: which pages are for the game, files, and edges of what scrolls. */
"use strict";

Object.assign(Studio, {
  /* --- pages that are not for the game ---------------------------------------------------- */

  TITLES: Object.fromEntries([...document.querySelectorAll("nav a")].map((link) => [link.pathname.slice(1), link.textContent])),

  /* What the server says of a game: `unfit` has the pages that are not for it.  Null: nothing. */
  async fit(game) {
    try {
      return await Studio.ask("/game/fit", {game});
    } catch {
      return null; // what is wrong with the game is told by who asks for more
    }
  },

  /* Their tabs are grey; who follows one is told where to look instead. */
  async greyPages(game) {
    const found = await Studio.fit(game);
    if (Studio.game && Studio.game !== game) return;
    for (const link of document.querySelectorAll("nav a")) {
      const unfit = found?.unfit[link.pathname.slice(1)];
      link.classList.toggle("grey", Boolean(unfit));
      if (unfit) link.title = unfit.why;
      else link.removeAttribute("title");
    }
  },

  /* What went wrong with a game: where this page is not for it, what is, and no fault. */
  async explain(element, fault, game) {
    const unfit = fault.cancelled ? null : (await Studio.fit(game))?.unfit[Studio.page.slice(1)];
    if (!unfit) {
      Studio.showFault(element, fault);
      return;
    }
    Studio.setGame(game);
    const {make} = Studio;
    const link = (page, text, of) => make("a", {class: "button", href: `/${page}#${new URLSearchParams(Studio.wordsOf(of))}`}, text);
    const others = unfit.games.map((name) => link(Studio.page.slice(1), Studio.listed.find((each) => each.name === name)?.title || name, {name, rule: "normal"}));
    element.replaceChildren(make("div", {class: "note-box"}, make("p", {}, unfit.why),
      make("div", {class: "bar-of-buttons"}, "With this game: ", ...unfit.pages.map((page) => link(page, Studio.TITLES[page], game))),
      others.length ? make("div", {class: "bar-of-buttons"}, "On this page: ", ...others) : null));
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

  SECONDS: 60, // to solve a game that is to be saved, and to write a file

  /* Long work of the frame, in an element that has its progress and a button to cancel it. */
  async framed(element, path, data) {
    const {make} = Studio;
    const control = new AbortController();
    const progress = make("span", {role: "status"});
    element.replaceChildren(make("div", {class: "bar-of-buttons"}, progress, make("button", {type: "button", onclick: () => control.abort()}, "Cancel")));
    try {
      return await Studio.work(path, {...data, seconds: Studio.SECONDS}, Studio.tells(progress), control.signal);
    } finally {
      element.replaceChildren();
    }
  },

  /* The menu *Save* has what can be written now; an answer that is not known can be looked for. */
  async offerFormats() {
    const {make} = Studio;
    const place = document.getElementById("formats");
    const game = Studio.game || Studio.current();
    if (!game) {
      place.replaceChildren(make("p", {class: "soft"}, "No game is open on this page: choose one on Play or Rules first."));
      return;
    }
    const data = {game, ...Studio.made()};
    try {
      const found = await Studio.framed(place, "/files/formats", data);
      place.replaceChildren(...found.formats.map(({format, words}) => make("button", {type: "button", onclick: () => Studio.closing(Studio.saveAs(format, data))}, words)),
        found.why ? make("p", {class: "soft"}, found.why) : "",
        found.solve ? make("button", {type: "button", class: "main", onclick: () => Studio.solveFirst(game)}, "Solve the game") : "");
    } catch (fault) {
      Studio.showFault(place, fault.cancelled ? {message: "Cancelled."} : fault);
    }
  },

  async solveFirst(game) {
    const place = document.getElementById("formats");
    try {
      const found = await Studio.framed(place, "/play/solve", {game});
      if (found.answer) await Studio.offerFormats();
      else place.replaceChildren(Studio.make("p", {class: "soft"}, `No answer was found in ${Studio.SECONDS} seconds, so there is none to save.`));
    } catch (fault) {
      Studio.showFault(place, fault.cancelled ? {message: "Cancelled."} : fault);
    }
  },

  async closing(done) {
    document.getElementById("save").open = false;
    try {
      await done;
    } catch (fault) {
      Studio.showFault(document.getElementById("filed"), fault.cancelled ? {message: "Nothing was saved: cancelled."} : fault);
    }
  },

  async saveAs(format, data) {
    const {name, data: coded} = await Studio.framed(document.getElementById("filed"), "/files/save", {...data, format});
    const bytes = Uint8Array.from(atob(coded), (character) => character.charCodeAt(0));
    const link = Studio.make("a", {href: URL.createObjectURL(new Blob([bytes])), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  },

  /* --- edges ------------------------------------------------------------------------------ */

  SCROLLS: "main .wide, main .drawn, main .squares, main .grid, main pre",

  /* What is wider than its place fades at the side where there is more, and arrow keys scroll it. */
  showEdges() {
    for (const part of document.querySelectorAll(Studio.SCROLLS)) {
      const beyond = part.scrollWidth - part.clientWidth;
      part.classList.toggle("more-left", beyond > 1 && part.scrollLeft > 1);
      part.classList.toggle("more-right", beyond > 1 && part.scrollLeft < beyond - 1);
      if (beyond > 1 && !part.hasAttribute("tabindex") && !part.querySelector("[tabindex], button, a, input")) part.tabIndex = 0;
    }
  },
});

addEventListener("DOMContentLoaded", () => {
  const at = (id) => document.getElementById(id);
  at("open-file").addEventListener("click", () => at("file").click());
  at("file").addEventListener("change", () => at("file").files.length && Studio.closing(Studio.openFile(at("file").files[0])));
  at("save").addEventListener("toggle", () => at("save").open && Studio.offerFormats());
  at("save").addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    at("save").open = false;
    at("save").querySelector("summary").focus();
  });
  let asked = 0;
  const later = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(Studio.showEdges);
  };
  new MutationObserver(later).observe(at("main"), {childList: true, subtree: true, attributeFilter: ["hidden", "open"]});
  addEventListener("resize", later);
  addEventListener("scroll", later, {capture: true, passive: true});
  addEventListener("toggle", later, {capture: true});
});
