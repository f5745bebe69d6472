/* The page Values: the Grundy values of a game, or of a sum of games, and of one state of it. */
"use strict";
addEventListener("DOMContentLoaded", () => {
  const at = (id) => document.getElementById(id);
  let working = null;

  async function find(game) {
    if (working) working.abort();
    const mine = (working = new AbortController());
    at("fault").replaceChildren();
    at("work").hidden = false;
    const tells = Studio.tells(at("progress"));
    tells("looking for the values", "");
    const state = at("at").value.trim();
    Studio.setFragment({...Studio.wordsOf(game), at: state});
    try {
      const asked = {game, at: state, seconds: Number(at("seconds").value) || 30};
      if (game.text === undefined) asked.own = Own.inSum(game.name || "");
      const found = await Studio.work("/values/find", asked, tells, mine.signal);
      if (game.text !== undefined || !/[+*.]/.test(game.name || "")) Studio.setGame(game); // other pages know no sums
      at("value").replaceChildren(...new DOMParser().parseFromString(found.html, "text/html").body.childNodes);
      at("value-panel").hidden = false;
      at("table-panel").hidden = !found.svg;
      if (found.svg) Studio.showDrawn(at("table"), found.svg);
    } catch (fault) {
      if (working !== mine) return;
      at("value-panel").hidden = at("table-panel").hidden = true;
      Studio.explain(at("fault"), fault.cancelled ? {message: "Cancelled.", cancelled: true} : fault, game);
    } finally {
      if (working === mine) {
        working = null;
        at("work").hidden = true;
      }
    }
  }

  at("choose").addEventListener("submit", (event) => {
    event.preventDefault();
    Studio.turnPage();
    find(Studio.chosen());
  });
  at("cancel").addEventListener("click", () => working && working.abort());
  Studio.onAddress(fromAddress);

  function fromAddress() {
    const words = Studio.fragment();
    const game = Studio.begun(words);
    if (game.text !== undefined) Own.keep(game);
    at("game").value = Studio.nameOf(game);
    at("rule").value = game.rule;
    at("at").value = words.at || "";
    Studio.game = game;
    find(game);
  }

  fromAddress();
  Studio.listGames().catch(() => {});
});
