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
    at("progress").textContent = "looking for the values";
    const state = at("at").value.trim();
    Studio.setFragment({...Studio.wordsOf(game), at: state});
    try {
      const asked = {game, at: state, seconds: Number(at("seconds").value) || 30};
      const found = await Studio.work("/values/find", asked, (text) => (at("progress").textContent = text), mine.signal);
      if (!/[+*.]/.test(game.name || "")) Studio.setGame(game); // other pages know no sums
      at("value").replaceChildren(...new DOMParser().parseFromString(found.html, "text/html").body.childNodes);
      at("value-panel").hidden = false;
      at("table-panel").hidden = !found.svg;
      if (found.svg) Studio.showDrawn(at("table"), found.svg);
    } catch (fault) {
      if (working !== mine) return;
      at("value-panel").hidden = at("table-panel").hidden = true;
      Studio.showFault(at("fault"), fault.cancelled ? {message: "Cancelled."} : fault);
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
    at("game").value = game.text === undefined ? game.name : Studio.OWN;
    at("rule").value = game.rule;
    at("at").value = words.at || "";
    Studio.game = game;
    find(game);
  }

  fromAddress();
  Studio.listGames().catch(() => {});
});
