"use strict";
addEventListener("DOMContentLoaded", async () => {
  const board = document.getElementById("board");
  const words = Studio.fragment();
  const game = words.game || words.rules ? Studio.gameOf(words) : Studio.opened().game || {name: "nim2"};
  let state = words.state || "";

  function show(answer) {
    state = answer.state;
    document.getElementById("title").textContent = answer.view.title;
    Studio.setFragment({...Studio.wordsOf(game), state});
    const moves = answer.view.moves.map((move) =>
      Studio.make("button", {onclick: () => make(move.move)}, move.move + ": " + move.label));
    board.replaceChildren(Studio.make("p", {}, answer.view.text), ...moves);
  }
  async function make(move) {
    try {
      show(await Studio.ask("/play/move", {game, state, move}));
    } catch (fault) { Studio.showFault(document.getElementById("said"), fault); }
  }
  try {
    show(await Studio.ask("/play/view", {game, state}));
  } catch (fault) { Studio.showFault(document.getElementById("said"), fault); }
});
