// One game against the strategy, with what the person at it asks for: undo, hint, another state.
"use strict";
function player(game, root) {
  const strategy = "The strategy";
  const node = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const button = (text, act) => {
    const made = node("button", { type: "button" }, text);
    made.addEventListener("click", act);
    return made;
  };

  let start = game.starts[0], turn = 0; // the place of the start in the list
  let mine = game.mine || 0; // the seat of the person; seat 0 begins
  let past = []; // {state, seat} before each move, with the move and who made it
  let here = null; // {state, seat}
  let said = "", hinted = null, fired = null, look = game.looks[0], note = "";

  const board = node("div", { id: "board" });
  const values = node("input", { type: "checkbox" });
  const looks = node("select", { "aria-label": "Board" }, ...game.looks.map((one) => node("option", {}, one)));
  const typed = node("input", { id: "state", autocomplete: "off", spellcheck: "false" });
  const fault = node("p", { class: "fault", role: "alert", hidden: "" });
  const log = document.getElementById("moves");
  const undo = button("Undo", () => back());
  const hint = button("Hint", () => help());
  const form = node("form", { class: "bar-of-buttons" }, node("label", { for: "state" }, "Start"), typed, node("button", { class: "main" }, "New game"));
  const choices = game.seats.map((text, seat) => button(text, () => { mine = seat; begin(start); }));

  const named = (seat) => (seat === mine ? "You" : strategy);
  function begin(state) {
    start = state;
    past = [];
    here = { state, seat: game.begins(state, 0) };
    said = hinted = fired = null;
    note = "";
    typed.value = game.written(state);
    try { history.replaceState(null, "", `#${encodeURIComponent(game.written(state))}`); } catch { /* in a frame */ }
    answer();
  }
  function step(move, after, by) {
    past.push({ ...here, move: game.told(here.state, move, after), by });
    here = { state: after, seat: game.next(after, here.seat) };
    hinted = null;
  }
  // The strategy moves as long as it is its turn.
  function answer() {
    while (here.seat !== mine && game.winner(here.state, here.seat) === null) {
      const chosen = game.choose(here.state);
      if (!chosen) break;
      fired = chosen.rule;
      said = `${strategy} played ${game.told(here.state, chosen.move, chosen.after)}${chosen.rule === null ? `; ${chosen.reason}` : `, by rule ${chosen.rule + 1}${chosen.image ? ` as ${chosen.image}` : ""}`}.`;
      step(chosen.move, chosen.after, strategy);
    }
    show();
  }
  function made(move) {
    try {
      const after = game.make(here.state, move);
      const before = here.state;
      const could = game.wins(before) === true;
      const better = could ? game.choose(before) : null;
      step(move, after, "You");
      const lost = could && game.wins(after) === true && here.seat !== mine;
      note = lost && better ? `You could have won with ${game.told(before, better.move, better.after)}. Undo takes your move back.` : "";
      fired = null;
      complain("");
      answer();
    } catch (error) {
      if (!(error instanceof Error) || error instanceof TypeError) throw error;
      complain(error.message);
    }
  }
  function back() {
    let last = past.pop();
    while (last && last.by !== "You" && past.length) last = past.pop();
    if (!last) return;
    here = { state: last.state, seat: last.seat };
    said = hinted = fired = null;
    note = "";
    if (here.seat === mine) show();
    else answer();
  }
  function help() {
    const chosen = game.choose(here.state);
    hinted = chosen && chosen.move;
    fired = chosen && chosen.rule;
    if (chosen) {
      const listed = game.moves(here.state, look, false);
      const move = game.told(here.state, chosen.move, chosen.after) + (listed ? "" : ` (${chosen.move})`); // where it is to be typed
      said = chosen.rule === null ? `Try ${move}; ${chosen.reason}.` : `Rule ${chosen.rule + 1} says ${move}${chosen.image ? `, as ${chosen.image}` : ""}.`;
    }
    show();
  }
  function complain(text) {
    fault.textContent = text;
    fault.hidden = !text;
  }
  function ending() {
    const winner = game.winner(here.state, here.seat);
    if (winner === null) return null;
    const cause = game.endedBy(here.state) || `${named(here.seat)} cannot move`;
    return `${cause}${winner < 0 ? ": a draw." : winner === mine ? ", so you win." : ", so the strategy wins."}`;
  }
  function show() {
    const ended = ending();
    const open = !ended && here.seat === mine;
    const moves = open ? game.moves(here.state, look, values.checked) : [];
    for (const move of moves || []) move.hint = move.move === hinted;
    const view = {
      board: game.board(look, here.state, values.checked),
      ended: [ended || said, !ended && open ? "It is your turn." : ""].filter(Boolean).join(" "),
      notes: [note].filter(Boolean),
    };
    if (moves) view.moves = moves;
    else view.actions = game.actions;
    Board.draw(board, view, made);
    log.replaceChildren(...past.map((one) => node("li", {}, `${one.by}: ${one.move}`)));
    undo.disabled = !past.some((one) => one.by === "You");
    hint.disabled = !open || !game.helps(here.state, here.seat);
    choices.forEach((one, seat) => one.setAttribute("aria-pressed", seat === mine));
    document.querySelectorAll("#strategy > li").forEach((item, rule) => {
      item.classList.toggle("lit", rule === fired);
      if (rule === fired) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    });
  }

  values.addEventListener("change", show);
  looks.addEventListener("change", () => { look = looks.value; show(); });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      const state = game.read(typed.value);
      complain("");
      begin(state);
    } catch (error) {
      complain(error.message);
    }
  });
  const bar = node("div", { class: "bar-of-buttons" }, ...choices,
    button(game.starts.length > 1 ? "Another start" : "From the start", () => begin(game.starts[(turn += 1) % game.starts.length])), undo, hint);
  if (game.showsValues !== false) bar.append(node("label", {}, values, " Show what each move is worth"));
  if (game.looks.length > 1) bar.append(node("label", {}, "Board ", looks));
  root.replaceChildren(form, fault, board, bar);

  let first = start;
  try {
    const wanted = decodeURIComponent(location.hash.slice(1));
    if (wanted) first = game.read(wanted);
  } catch (error) {
    complain(error.message);
  }
  begin(first);
}
