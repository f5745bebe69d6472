/* The page Gallery: a card for each game, one's own first; pictures and answers come when they are
   looked at. */
"use strict";
addEventListener("DOMContentLoaded", async () => {
  const at = (id) => document.getElementById(id);
  const {make} = Studio;
  const SECONDS = 30; // of an answer
  let own = [], cards = [];
  let drawing = Promise.resolve(); // one picture after the other
  let working = null;

  const link = (page, game, text) => make("a", {class: "button", href: `/${page}#${new URLSearchParams(Studio.wordsOf(game))}`}, text);

  function card(game) {
    const named = game.own ? Own.byName(game.name) : {name: game.name};
    const picture = make("div", {class: "card-picture"});
    const rules = make("pre", {});
    const answer = make("div", {class: "card-answer", role: "status"});
    const unfolded = make("details", {}, make("summary", {}, "Rules"), rules);
    unfolded.addEventListener("toggle", async () => {
      if (!unfolded.open || rules.textContent) return;
      try {
        rules.textContent = named.text ?? (await Studio.ask("/rules/text", {game: named})).text;
      } catch (fault) {
        Studio.showFault(answer, fault);
      }
    });
    const solve = make("button", {type: "button", onclick: () => solved(named, solve, answer)}, "Answer");
    const sources = game.sources.map((source) => make("p", {}, source.text, ". ",
      ...Object.entries(source.links).flatMap(([name, href]) => [make("a", {href, rel: "noreferrer"}, name), " "])));
    const shown = make("article", {class: "panel card", "aria-label": game.title},
      make("h3", {}, game.title),
      make("p", {class: "soft"}, make("code", {}, game.name), game.constants.length ? ` with ${game.constants.join(", ")}` : "", game.own && game.draft ? ", not finished" : ""),
      picture,
      make("div", {class: "bar-of-buttons"}, link("play", named, "Play"), link("rules", named, "Edit"), game.finite || game.draft ? null : solve,
        game.own ? make("button", {type: "button", onclick: () => remove(game.name)}, "Delete") : null),
      answer,
      unfolded,
      game.theorems.length ? make("details", {}, make("summary", {}, "Theorems"), ...game.theorems.map((text) => make("p", {}, make("code", {}, text)))) : null,
      sources.length ? make("details", {}, make("summary", {}, "Sources"), ...sources) : null);
    seen.observe(shown);
    return {game, shown, picture, named};
  }

  /* A picture is drawn when its card comes near. */
  const seen = new IntersectionObserver((found) => {
    for (const entry of found) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      const one = [...own, ...cards].find((each) => each.shown === entry.target);
      if (one) drawing = drawing.then(() => draw(one));
    }
  }, {rootMargin: "300px"});

  async function draw({game, picture, named}) {
    try {
      if (game.finite) {
        const {view} = await Studio.ask("/play/view", {game: {rule: "normal", ...named}});
        Board.draw(picture, {board: view.board, moves: [], notes: []}, () => {});
      } else {
        const {svg} = await Studio.work("/rules/table", {game: {rule: "normal", ...named}}, () => {});
        const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
        drawn.setAttribute("role", "img");
        drawn.setAttribute("aria-label", `The lost states of ${game.title}, near the origin`);
        picture.replaceChildren(drawn);
      }
    } catch {
      picture.replaceChildren(make("p", {class: "soft"}, "No picture."));
    }
  }

  async function solved(named, button, answer) {
    if (working) {
      working.abort();
      return;
    }
    working = new AbortController();
    button.textContent = "Cancel";
    const game = {rule: "normal", ...named};
    const progress = make("p", {class: "soft"});
    answer.replaceChildren(progress);
    try {
      const {told: found} = await Studio.work("/play/solve", {game, seconds: SECONDS}, Studio.tells(progress), working.signal);
      answer.replaceChildren(...(found.losing === null ? [make("p", {}, "No answer was found in the time.")] : Studio.answerOf(found)));
    } catch (fault) {
      if (fault.cancelled) answer.replaceChildren(make("p", {class: "soft"}, "Cancelled."));
      else Studio.showFault(answer, fault);
    } finally {
      working = null;
      button.textContent = "Answer";
    }
  }

  function choose() {
    const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const which = at("which").value;
    let count = 0;
    for (const {game, shown} of [...own, ...cards]) {
      const text = `${game.name} ${game.title}`.toLowerCase();
      const kind = which === "all" || (which === "own" ? game.own : which === "finite" ? game.finite : which === "family" ? game.constants.length : !game.finite);
      shown.hidden = !(kind && words.every((word) => text.includes(word)));
      count += !shown.hidden;
    }
    at("count").textContent = `${count} game${count === 1 ? "" : "s"}`;
    at("own-part").hidden = !own.some(({shown}) => !shown.hidden);
    Studio.setFragment({search: at("search").value, show: which === "all" ? "" : which});
  }

  /* The cards of one's own games, as they are kept now. */
  function showOwn() {
    own = Object.entries(Own.all()).map(([name, {text, draft}]) => card({name, own: true, draft, finite: Own.isBoard(text),
      title: /\bgame\s+\w+\s+"([^"]*)"/.exec(text)?.[1] || name, constants: [...text.matchAll(/^\s*const\s+(\w+\s*=\s*-?\w+)/gm)].map((found) => found[1]), sources: [], theorems: []}));
    at("own-cards").replaceChildren(...own.map((each) => each.shown));
    choose();
  }

  function remove(name) {
    const undo = Own.remove(name);
    showOwn();
    const back = make("button", {type: "button", onclick: () => { undo(); at("deleted").replaceChildren(); showOwn(); }}, "Undo");
    at("deleted").replaceChildren(make("p", {class: "note-box"}, `“${name}” is deleted. `, back));
    back.focus();
  }

  at("choose").addEventListener("submit", (event) => event.preventDefault());
  at("search").addEventListener("input", choose);
  at("which").addEventListener("change", choose);
  const words = Studio.fragment();
  at("search").value = words.search || "";
  if (words.show) at("which").value = words.show;
  showOwn();
  Studio.linkPages();
  if (Studio.current()) Studio.greyPages(Studio.current());
  try {
    const {games} = await Studio.ask("/gallery/list", {});
    cards = games.map(card);
    at("cards").replaceChildren(...cards.map((each) => each.shown));
    choose();
  } catch (fault) {
    Studio.showFault(at("fault"), fault);
  }
});
