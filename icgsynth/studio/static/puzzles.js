/* The page Puzzles: one position after the other; the first move is judged, the answer is shown. */
"use strict";
addEventListener("DOMContentLoaded", () => {
  const at = (id) => document.getElementById(id);
  const {make} = Studio;
  const SECONDS = 120, COUNT = 9;
  const MARKS = {right: "✓", wrong: "✗", shown: "·"};
  let found = null; // {title, moves, puzzles, asked}
  let done = []; // of each puzzle: right, wrong, shown, or nothing
  let here = 0;
  let seed = 0;
  let working = null;

  const words = () => ({...Studio.wordsOf(Studio.chosen()), moves: at("moves").value, level: at("level").value === "graded" ? "" : at("level").value, seed: seed || "", n: here ? here + 1 : ""});

  async function find(first = 0) {
    if (working) working.abort();
    const mine = new AbortController();
    working = mine;
    at("work").hidden = false;
    at("one").hidden = true;
    at("print").disabled = true;
    at("fault").replaceChildren();
    const tells = Studio.tells(at("progress"));
    tells("looking for positions", "");
    const game = Studio.chosen();
    try {
      const asked = {game, moves: Number(at("moves").value), level: at("level").value, seed, count: COUNT};
      const result = await Studio.work("/puzzles/find", {...asked, seconds: SECONDS}, tells, mine.signal);
      if (!result.puzzles.length) throw {message: "No such position was found.", mend: "Try fewer moves, or another level."};
      if (result.playable) Studio.setGame(game);
      found = result;
      done = result.puzzles.map(() => "");
      at("one").hidden = false;
      at("print").disabled = false;
      show(Math.min(first, done.length - 1));
      sheet();
    } catch (fault) {
      if (!fault.cancelled) Studio.explain(at("fault"), fault, game);
      else if (working === mine) at("fault").replaceChildren(make("p", {class: "soft"}, "Cancelled."));
    } finally {
      if (working === mine) {
        working = null;
        at("work").hidden = true;
      }
    }
  }

  function show(number) {
    here = number;
    const puzzle = found.puzzles[here];
    at("number").textContent = `${found.title}: puzzle ${here + 1} of ${found.puzzles.length}, ${puzzle.level}`;
    at("task").textContent = puzzle.task;
    at("verdict").textContent = "";
    at("verdict").className = "status";
    at("answer").hidden = true;
    at("back").disabled = here === 0;
    at("next").disabled = here === found.puzzles.length - 1;
    Board.draw(at("board"), {...puzzle.view, turn: null}, tried);
    steps();
    Studio.setFragment(words());
  }

  function steps() {
    at("steps").replaceChildren(...found.puzzles.map((puzzle, number) => make("li", {},
      make("button", {type: "button", class: done[number] || null, "aria-current": number === here ? "step" : null,
        "aria-label": `Puzzle ${number + 1}, ${puzzle.level}${done[number] ? `, ${done[number]}` : ""}`, onclick: () => show(number)},
      `${number + 1}${MARKS[done[number]] || ""}`))));
  }

  function tried(move) {
    const puzzle = found.puzzles[here];
    const right = puzzle.keys.includes(move);
    const said = puzzle.view.moves.find((each) => each.move === move)?.label || move;
    at("verdict").textContent = right ? `Right: ${said}.` : `Not ${said}: that does not win in ${found.moves === 1 ? "one move" : `${found.moves} moves`}. Try again.`;
    at("verdict").className = `status ${right ? "proved" : "gave"}`;
    if (!done[here]) done[here] = right ? "right" : "wrong";
    if (right) reveal();
    steps();
  }

  function reveal() {
    const puzzle = found.puzzles[here];
    if (!done[here]) done[here] = "shown";
    at("answer").replaceChildren(...answerOf(puzzle));
    at("answer").hidden = false;
    steps();
  }

  const answerOf = (puzzle) => [make("pre", {}, puzzle.answer.join("\n")), ...puzzle.notes.map((note) => make("p", {class: "soft"}, note))];

  /* What is printed: all boards, then all answers; each board says what is asked, unless one thing is asked of all. */
  function sheet() {
    const boards = found.puzzles.map((puzzle, number) => {
      const board = make("div", {});
      Board.draw(board, {...puzzle.view, moves: [], actions: undefined, turn: null}, () => {});
      return make("div", {class: "sheet-one"}, make("h3", {}, `${number + 1}. ${puzzle.level}`), found.asked ? null : make("p", {}, puzzle.task), board);
    });
    const answers = found.puzzles.map((puzzle, number) => make("div", {class: "sheet-one"}, make("h3", {}, String(number + 1)), ...answerOf(puzzle)));
    at("sheet").replaceChildren(
      make("h2", {}, found.title), found.asked ? make("p", {}, found.asked) : "", make("div", {class: "sheet-boards"}, ...boards),
      make("h2", {class: "sheet-answers"}, "Answers"), make("div", {class: "sheet-boards"}, ...answers));
  }

  at("choose").addEventListener("submit", (event) => {
    event.preventDefault();
    seed = 0;
    find();
  });
  at("others").addEventListener("click", () => {
    seed += 1;
    find();
  });
  at("cancel").addEventListener("click", () => working && working.abort());
  at("print").addEventListener("click", () => window.print());
  at("back").addEventListener("click", () => show(here - 1));
  at("next").addEventListener("click", () => show(here + 1));
  at("show").addEventListener("click", reveal);
  Studio.enlarges(at("large"), at("one"));

  const said = Studio.fragment();
  Studio.setGame(Studio.begun(said));
  if (said.moves) at("moves").value = said.moves;
  if (said.level) at("level").value = said.level;
  seed = Number(said.seed) || 0;
  Studio.listGames("/puzzles/games").catch((fault) => Studio.showFault(at("fault"), fault));
  find((Number(said.n) || 1) - 1);
});
