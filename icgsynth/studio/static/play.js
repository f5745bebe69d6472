/* The page Play. A game is a list of positions; the server makes each view and knows each worth. */
"use strict";
addEventListener("DOMContentLoaded", () => {
  const at = (id) => document.getElementById(id);
  const {make} = Studio;
  const KINDS = [
    ["human", "a person"], ["strategy", "the strategy"], ["perfect", "perfect play"],
    ["depth", "looks ahead"], ["random", "chance"],
  ];
  const WAIT = 350; // milliseconds before a machine moves, so that people see it

  const opened = Studio.opened(); // what the command line named
  const asksFor = new Set(); // the strategies that are to be seen: "proved", or a role
  let game = {};
  let positions = []; // {state, view, made, by, reason, fired, gave, worth}
  let here = 0; // the position that is shown
  let seats = null; // who plays, by {kind, depth}
  let ready = false; // the game was solved, as far as it can be
  let trees = {}; // of a finite game, by the role
  let own = null; // a strategy of an impartial game that was made in Build: {losing, rules}
  let titles = {}; // of the games of the catalog, by their names
  let hinted = false;
  let stuck = null; // the position in which a machine had no answer
  let turn = {}; // the position in which a machine is asked for its move, and its seat
  let asked = 0; // counts the games that were asked for
  let round = 0; // counts what is asked, so that late answers of an old game are dropped
  let working = null; // the AbortController of long work

  const now = () => positions[here];
  const isFinite = () => now().finite;
  /* Whose turn it is in a position: 0 or 1. */
  const seatAt = (index) => (positions[index].finite ? positions[index].mover : index % 2);
  const nameOf = (seat) => (isFinite() ? now().roles[seat] : ["first player", "second player"][seat]);
  const treeOf = (position) => (position.finite && position.mover >= 0 ? trees[position.roles[position.mover]] : undefined);

  /* --- the game ------------------------------------------------------------------------ */

  /* Begin in a state of a game, and make the moves of a `line`, of which `at` are shown and `notes`
     tell more; the players and trees of before stay where `same` says so, but `grown` are new ones. */
  async function begin(chosen, state, same = true, {line = [], at: shown = line.length, notes = [], grown = trees, by = own} = {}) {
    const mine = (asked += 1);
    const kind = same ? at("kind").value : "";
    try {
      const made = [await Studio.ask("/play/view", {game: chosen, state, kind})];
      for (const move of line) made.push(await Studio.ask("/play/move", {game: chosen, state: made.at(-1).state, move, kind}));
      if (mine !== asked) return;
      const first = made[0];
      // The game before goes on until there is another one.
      round += 1;
      if (working) working.abort();
      game = chosen;
      own = same && !first.finite ? by : null;
      ready = false;
      at("fault").replaceChildren();
      at("strategy").replaceChildren();
      positions = made;
      // A short strategy of a finite game takes long to find: it is there to be asked for.
      trees = same ? grown : {};
      if (!same) {
        seats = null;
        asksFor.clear();
      }
      if (opened.tree && opened.game.name === game.name && first.finite) {
        const seat = opened.player === 2 ? 1 - first.mover : first.mover;
        trees = {[first.roles[seat]]: opened.tree, ...trees};
        Studio.share(game, {trees, role: first.roles[seat]});
        if (!seats) seats = [0, 1].map((each) => ({kind: each === seat ? "strategy" : "human"}));
      }
      if (!seats) seats = [{kind: "human"}, {kind: first.finite ? "perfect" : "strategy"}];
      made.slice(1).forEach((position, index) => Object.assign(position, {by: seatAt(index), gave: "", ...notes[index]}));
      here = Math.min(shown, line.length);
      hinted = false;
      showChoice();
      draw();
      prepare(round);
    } catch (fault) {
      if (mine !== asked) return;
      if (chosen.text !== undefined) at("edit").href = "/rules#" + new URLSearchParams(Studio.wordsOf(chosen));
      Studio.explain(at("fault"), fault, chosen);
    }
  }

  function showChoice() {
    Studio.setGame(game);
    at("start").value = now().finite ? "" : positions[0].state;
    at("start-label").hidden = now().finite;
    at("rule").closest("label").hidden = now().finite;
    at("edit").href = "/rules#" + new URLSearchParams(Studio.wordsOf(game));
    const kinds = now().view.kinds;
    const words = {piles: "piles", squares: "squares", lattice: "lattice", grid: "board", graph: "lines", facts: "table"};
    at("kind").replaceChildren(...kinds.map((kind) => make("option", {value: kind}, words[kind] || kind)));
    at("kind").value = now().view.board.kind;
    Studio.showConstants(now().constants || {}, () => at("choose").requestSubmit());
    at("kind-label").hidden = kinds.length < 2;
    at("shade-label").hidden = !kinds.includes("lattice");
    showTitle();
  }

  function showTitle() {
    const title = (game.text === undefined && titles[game.name]) || now().view.title;
    at("title").textContent = title;
    document.title = title + " – icgsynth studio";
  }

  /* Solve the game, which gives its strategy and the worth of its moves. */
  async function prepare(mine) {
    const finite = isFinite();
    try {
      const result = await longWork(finite ? "/play/explore" : "/play/solve", {game, seconds: finite ? 120 : 60});
      if (mine !== round) return;
      ready = true;
      at("work").hidden = false;
      at("progress").textContent = "reading the answer";
      if (finite) await showFinite(result);
      else showAnswer(result.told);
      if (!working) at("work").hidden = true;
    } catch (fault) {
      if (mine !== round) return;
      at("work").hidden = true;
      ready = !finite;
      Studio.showFault(at("strategy"), fault.cancelled ? {message: "Not solved: cancelled.", mend: "Choose New game to try again."} : fault);
    }
    if (mine !== round) return;
    await weigh(here);
    reply();
  }

  async function longWork(path, data) {
    const control = (working = new AbortController());
    at("work").hidden = false;
    const tells = Studio.tells(at("progress"));
    tells("solving the game", "");
    try {
      return await Studio.work(path, data, tells, control.signal);
    } finally {
      if (working === control) {
        working = null;
        at("work").hidden = true;
      }
    }
  }

  /* A strategy beside the board, which is closed until someone asks for it. */
  function closed(what, name, ...parts) {
    const shown = make("details", {open: asksFor.has(name)}, make("summary", {}, what), ...parts);
    shown.addEventListener("toggle", () => (shown.open ? asksFor.add(name) : asksFor.delete(name)));
    return shown;
  }

  function showAnswer(found) {
    const parts = [];
    if (found.cycle.length) {
      parts.push(make("p", {class: "fault"}, "The game may never end: its rules have a cycle. The page Rules shows the move."));
    } else if (found.status === "refuted") {
      parts.push(make("p", {class: "fault"}, "The answer of the file is wrong; what refutes it is below. Perfect play stands in for it."));
      for (const seat of seats) if (seat.kind === "strategy") seat.kind = "perfect";
      found.rules = [];
      found.losing = null;
    } else if (found.losing !== null) {
      parts.push(make("p", found.status === "solved" ? {class: "proved"} : {}, found.status === "solved" ? "✓ Who wins is known and proved for all states." : "An answer was found, but not proved for all states."),
        closed("Show the strategy", "proved", ...Studio.answerOf(found)));
    } else {
      parts.push(make("p", {}, "No answer was found in this time; nothing is claimed. Perfect play knows small states only."));
      for (const seat of seats) if (seat.kind === "strategy") seat.kind = "perfect";
    }
    if (own) {
      const rules = own.rules.map((rule) => make("li", {}, make("code", {},
        (rule.when === "true" ? "" : `if ${rule.when}: `) + rule.action + (rule.args ? `(${Object.values(rule.args).join(", ")})` : ""))));
      parts.unshift(make("h3", {}, "Your strategy plays"), closed("Show your strategy", "own", make("ol", {class: "rules", id: "own"}, ...rules)),
        make("div", {class: "bar-of-buttons"}, make("a", {class: "button", href: Studio.addressOf("/build")}, "Verify or change it"),
          make("button", {type: "button", onclick: leaveOwn}, "Play the proved strategy instead")),
        make("h3", {}, "What is proved of the game"));
    }
    if (found.losing === null) parts.push(make("details", {}, make("summary", {}, "The whole answer"), make("pre", {}, found.report)));
    at("strategy").replaceChildren(...parts);
    if (now().view.board.kind === "lattice" && at("shade").checked) redraw();
    draw();
  }

  /* The machine plays what is proved, and no longer the strategy that was made by hand. */
  function leaveOwn() {
    own = null;
    Studio.share(game, {made: null});
    begin(game, positions[0].state, true, {line: positions.slice(1).map(({made}) => made), at: here});
  }

  async function showFinite({outcome, text}) {
    const roles = now().roles;
    at("strategy").replaceChildren(
      make("p", {}, make("strong", {}, outcome)), make("p", {class: "soft"}, text), ...roles.map((role) => make("div", {id: "tree-" + roles.indexOf(role)})));
    for (const role of roles) await showTree(role);
    draw();
  }

  async function showTree(role) {
    const place = at("tree-" + now().roles.indexOf(role));
    if (!place) return;
    if (!trees[role]) {
      place.replaceChildren(make("button", {type: "button", onclick: () => { asksFor.add(role); findTree(role); }}, `Find a short strategy for ${role}`));
      return;
    }
    let rules;
    try {
      rules = (await Studio.ask("/play/rules-of-tree", {game, tree: trees[role]})).rules;
    } catch (fault) {
      delete trees[role];
      Studio.showFault(place, fault);
      return;
    }
    place.replaceChildren(closed(`Show the strategy for ${role}`, role,
      make("ol", {class: "rules"}, ...rules.map((rule) => make("li", {}, make("code", {}, rule)))),
      make("a", {class: "button", href: "/build#" + new URLSearchParams({...Studio.wordsOf(game), role, tree: trees[role]})}, "Verify or change it")));
  }

  async function findTree(role) {
    const mine = round;
    try {
      const found = await longWork("/play/tree", {game, role, seconds: 20});
      if (mine !== round) return;
      trees[role] = found.tree;
      Studio.share(game, {trees, role});
      await showTree(role);
      draw();
      await weigh(here);
      reply();
    } catch (fault) {
      if (mine !== round) return;
      const seat = seats[now().roles.indexOf(role)];
      const instead = seat.kind === "strategy" ? "Perfect play stands in for it." : "";
      if (instead) seat.kind = "perfect"; // or it would wait for ever
      Studio.showFault(at("fault"), fault.cancelled ? {message: `No strategy for ${role}: cancelled.`, mend: instead} : {...fault, mend: instead || fault.mend});
      draw();
      reply();
    }
  }

  /* --- one position -------------------------------------------------------------------- */

  /* Ask what the moves of a position are worth, once. */
  async function weigh(index) {
    const position = positions[index];
    if (!position || position.over) return;
    const tree = treeOf(position);
    if (position.worth && position.worth.tree === tree && position.worth.ready === ready) return;
    if (position.finite && !ready) return;
    const data = {game, state: position.state};
    if (tree) data.tree = tree;
    try {
      position.worth = {...(await Studio.ask("/play/worth", data)), tree, ready};
    } catch (fault) {
      if (position === now()) Studio.showFault(at("fault"), fault);
    }
    if (position === now()) draw();
  }

  function draw() {
    if (!positions.length) return; // no game was found yet
    const position = now();
    const worth = position.worth;
    const values = at("values").checked && worth;
    const moves = position.view.moves.map((move) => {
      const known = worth && worth.moves[move.move];
      if (!known) return move;
      const shown = {...move, hint: hinted && known.hint};
      if (values) Object.assign(shown, {value: known.value, distance: known.distance, rule: known.rule ?? null});
      return shown;
    });
    const mine = !position.over && seats[seatAt(here)].kind === "human";
    const view = {...position.view, moves: mine ? moves : moves.map((move) => ({...move})), turn: null, ended: null};
    Board.draw(at("board"), view, (move) => (mine ? play(move) : undefined));
    at("board").classList.toggle("waits", !mine);
    at("status").textContent = statusOf(position, worth);
    at("legend").hidden = !values;
    at("hinted").textContent = hinted && worth ? hintOf(worth) : "";
    at("undo").disabled = here === 0;
    at("redo").disabled = here === positions.length - 1;
    at("hint").disabled = position.over || !worth;
    showSeats();
    showHistory();
    light(position);
    const usual = position.view.kinds[0] === position.view.board.kind;
    const grown = Object.fromEntries(Object.entries(trees).map(([role, tree]) => ["tree." + role, tree]));
    Studio.setFragment({...Studio.wordsOf(game), state: positions[0].state, line: positions.slice(1).map(({made}) => made).join(";"),
      at: here < positions.length - 1 ? here : "", kind: usual ? "" : at("kind").value, ...(isFinite() ? grown : {}), made: own ? JSON.stringify(own) : "",
      players: seats.map((seat) => (seat.kind === "depth" ? "depth" + seat.depth : seat.kind)).join(",")},
      positions.slice(1).map(({reason, fired, gave}) => ({reason, fired, gave})));
  }

  function statusOf(position, worth) {
    if (position.over) {
      if (position.finite) return position.view.ended;
      const loser = seatAt(here);
      const winner = position.last === "wins" ? loser : 1 - loser;
      return `${position.view.ended} The ${nameOf(winner)} has won.`;
    }
    const played = position.reason ? ` ${isFinite() ? "" : "The "}${nameOf(position.by)} has played: ${position.said}.` : "";
    const text = isFinite() ? `${nameOf(seatAt(here))} is to move.${played}`
      : `The ${nameOf(seatAt(here))} is to move` + (position.view.text.length < 60 ? `: ${position.view.text}.` : ".") + played;
    const seat = seats[seatAt(here)];
    if (seat.kind !== "human" && seat.kind !== "random" && !ready && !working) {
      return `${text} The machine cannot move before the game is solved: choose New game, or another player.`;
    }
    if (!at("values").checked || !worth || !worth.value) return text;
    const words = {win: "The right move wins.", draw: "Best play is a draw.", loss: "Every move loses against best play."};
    return `${text} ${words[worth.value]}`;
  }

  function hintOf(worth) {
    const best = Object.entries(worth.moves).find(([, move]) => move.hint);
    if (!best) return "No hint: nothing is known of these moves.";
    const rule = worth.fired && worth.fired.number && worth.fired.move === best[0] ? `, by rule ${worth.fired.number}` : "";
    const word = {win: " wins", draw: " keeps the draw", loss: worth.value === "loss" ? " delays the end; every move loses" : " delays the end"}[best[1].value] || "";
    const typed = now().view.actions ? ` (${best[0]})` : "";
    return `Hint: ${best[1].said}${typed}.${word ? ` It${word}${rule}.` : ""}`;
  }

  /* Light the rule that fires in this position, or that made the last move. */
  function light(position) {
    const last = position.fired !== undefined ? position : null;
    const isAsked = hinted || at("values").checked;
    const shown = isAsked ? position.worth && position.worth.fired : last && last.fired;
    for (const item of document.querySelectorAll("#strategy .rules li")) item.classList.remove("lit");
    for (const old of document.querySelectorAll(".image")) old.remove();
    if (!shown || !shown.number) return;
    const seat = isAsked ? seatAt(here) : position.by;
    const list = document.querySelector(isFinite() ? `#tree-${seat} .rules` : own && !isAsked ? "#own" : "#rules");
    const item = list && list.children[shown.number - 1];
    if (!item) return;
    item.classList.add("lit");
    if (shown.image) item.append(make("p", {class: "image"}, "here, turned: ", make("code", {}, shown.image)));
  }

  function showHistory() {
    at("history").replaceChildren(...positions.slice(1).map((position, index) => {
      const seat = seatAt(index);
      const turned = position.fired && position.fired.image ? `rule ${position.fired.number}, turned: ${position.fired.image}` : position.reason;
      const why = turned ? make("span", {class: "soft"}, ` ${turned}`) : null;
      const gave = position.gave ? make("span", {class: "gave"}, ` ✗ ${position.gave}`) : null;
      const button = make("button", {type: "button", class: "plain", "aria-current": index + 1 === here ? "step" : null,
        onclick: () => goTo(index + 1)}, `${nameOf(seat)}: ${position.said}`);
      return make("li", {}, button, why, gave);
    }));
  }

  function showSeats() {
    const chosen = seats.map((seat, index) => {
      const select = make("select", {"aria-label": nameOf(index), onchange: (event) => {
        seats[index] = {kind: event.target.value, depth: 2};
        draw();
        reply();
      }}, ...KINDS.map(([kind, words]) => make("option", {value: kind, selected: kind === seat.kind}, words)));
      const depth = seat.kind !== "depth" ? null : make("input", {type: "number", min: 1, max: 20, value: seat.depth || 2,
        "aria-label": "how many moves it looks ahead", onchange: (event) => { seat.depth = Number(event.target.value) || 1; draw(); }});
      return make("div", {class: "seat"}, make("span", {}, nameOf(index)), select, depth);
    });
    const held = document.activeElement && at("seats").contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    at("seats").replaceChildren(...chosen);
    if (held) { const again = at("seats").querySelector(`[aria-label="${held}"]`); if (again) again.focus(); }
    at("step").hidden = stuck !== now();
  }

  /* --- moves --------------------------------------------------------------------------- */

  async function play(move, told = {}) {
    const mine = round;
    const from = now();
    const index = here;
    try {
      const after = await Studio.ask("/play/move", {game, state: from.state, move, kind: at("kind").value, shade: at("shade").checked});
      if (mine !== round || now() !== from) return;
      if (!told.reason) Studio.turnPage(); // so that Back takes it back, and the machine's reply
      positions = positions.slice(0, index + 1);
      positions.push({...after, by: seatAt(index), ...told, gave: told.reason ? "" : await givenAway(from, after.made)});
      here = index + 1;
      hinted = false;
      at("fault").replaceChildren();
      draw();
      weigh(here);
      reply();
    } catch (fault) {
      Studio.showFault(at("fault"), fault);
    }
  }

  /* What a person's move threw away, in words; empty where nothing. */
  async function givenAway(position, made) {
    if (!position.worth) await weigh(positions.indexOf(position)); // who moves at once is told too
    if (!position.worth) return "";
    const known = position.worth.moves[made];
    const best = position.worth.value;
    if (!known || !known.value || !best || known.value === best || best === "loss") return "";
    const better = Object.values(position.worth.moves).filter((move) => move.value === best).map((move) => move.said);
    return `here you gave away the ${best}; what kept it: ${better.slice(0, 3).join(" or ")}`;
  }

  /* Let the machine move, where it is its turn. */
  async function reply() {
    const mine = round, position = now();
    const index = here;
    if (position.over || here !== positions.length - 1) return;
    const seat = seats[seatAt(here)];
    if (seat.kind === "human") return;
    if (position.finite && !ready && seat.kind !== "random") return;
    if (!position.finite && seat.kind === "strategy" && !ready) return;
    if (position.finite && seat.kind === "strategy" && !treeOf(position)) {
      if (!working) findTree(position.roles[position.mover]);
      return;
    }
    if (turn.position === position && turn.seat === seat) return;
    const asking = (turn = {position, seat});
    try {
      await new Promise((done) => setTimeout(done, WAIT));
      if (mine !== round || now() !== position || seats[seatAt(index)] !== seat) return;
      const data = {game, state: position.state, player: seat, ...(own || {}), seed: Math.floor(Math.random() * 1e9)};
      if (treeOf(position)) data.tree = treeOf(position);
      // Where its process has ended, there is a new one by now.
      const answer = await Studio.ask("/play/reply", data).catch(() => Studio.ask("/play/reply", data));
      if (mine !== round || now() !== position) return;
      await play(answer.move, {reason: answer.reason, fired: answer.fired});
    } catch (fault) {
      if (mine !== round || now() !== position) return;
      Studio.showFault(at("fault"), fault);
      stuck = position;
      draw();
    } finally {
      if (turn === asking) turn = {};
    }
  }

  function goTo(index) {
    if (!positions.length) return;
    here = Math.min(Math.max(index, 0), positions.length - 1);
    hinted = false;
    draw();
    weigh(here);
  }

  /* Back to where a person was to move, so that a machine does not at once move again. */
  function step(by) {
    let index = here + by;
    while (index > 0 && index < positions.length - 1 && seats[seatAt(index)].kind !== "human") index += by;
    goTo(index);
  }

  /* The same position on another kind of board, or with other shades. */
  async function redraw() {
    if (!positions.length) return;
    const position = now();
    try {
      const again = await Studio.ask("/play/view", {game, state: position.state, kind: at("kind").value, shade: at("shade").checked});
      Object.assign(position, again);
      if (position === now()) draw();
    } catch (fault) {
      Studio.showFault(at("fault"), fault);
    }
  }

  /* A strategy of a finite game goes into a file: that of the player who is to move, or the other. */
  Studio.made = () => {
    if (!positions.length || !isFinite()) return {};
    const roles = now().roles;
    const role = [roles[now().mover], ...roles].find((each) => trees[each]);
    return role ? {role, tree: trees[role]} : {};
  };

  /* --- what people press ----------------------------------------------------------------- */

  at("choose").addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = Studio.chosen();
    const same = chosen.text === game.text && chosen.name === game.name;
    if (same) Object.assign(chosen, Studio.constants());
    Studio.turnPage();
    begin(chosen, same ? at("start").value.trim() : "", same);
  });
  at("step").addEventListener("click", () => {
    at("fault").replaceChildren();
    stuck = null;
    draw();
    reply();
  });
  at("undo").addEventListener("click", () => step(-1));
  at("redo").addEventListener("click", () => step(1));
  at("hint").addEventListener("click", () => { hinted = true; draw(); });
  at("values").addEventListener("change", () => { draw(); weigh(here); });
  at("shade").addEventListener("change", () => { if (at("shade").checked) at("kind").value = "lattice"; redraw(); });
  at("kind").addEventListener("change", redraw);
  Studio.enlarges(at("large"), at("board-panel"));
  at("cancel").addEventListener("click", () => working && working.abort());
  Studio.onAddress(fromAddress);

  /* The place of an address in the line of play that is shown; -1 where it is of another one. */
  function placeOf(words) {
    const line = words.line ? words.line.split(";") : [];
    const place = Number(words.at ?? line.length);
    const same = positions.length && JSON.stringify(Studio.wordsOf(Studio.gameOf(words))) === JSON.stringify(Studio.wordsOf(game));
    return same && words.state === positions[0].state && place < positions.length &&
      line.slice(0, place).every((made, index) => made === positions[index + 1].made) ? place : -1;
  }

  function fromAddress() {
    const isLeft = Studio.isLeft();
    const words = Studio.fragment();
    const place = placeOf(words);
    if (place >= 0) {
      goTo(place);
      return;
    }
    if (words.players) {
      seats = words.players.split(",").slice(0, 2).map((word) =>
        word.startsWith("depth") ? {kind: "depth", depth: Number(word.slice(5)) || 2} : {kind: KINDS.some(([kind]) => kind === word) ? word : "human"});
    }
    if (words.kind) at("kind").replaceChildren(make("option", {value: words.kind}, words.kind));
    const grown = Object.entries(words).filter(([key]) => key.startsWith("tree.")).map(([key, text]) => [key.slice(5), text]);
    const chosen = Studio.begun(words);
    // What was made or found meanwhile on Build is current, unless the address says otherwise.
    const shared = Studio.shared(chosen);
    const kept = {notes: Studio.notes(), grown: {...shared.trees, ...Object.fromEntries(grown), ...(isLeft ? shared.trees : {})}};
    if (words.line) kept.line = words.line.split(";");
    kept.by = isLeft ? shared.made : ownIn(words.made);
    if (words.at) kept.at = Math.max(0, Number(words.at) || 0);
    if (!isLeft && (grown.length || kept.by)) Studio.share(chosen, {trees: Object.fromEntries(grown), made: kept.by});
    begin(chosen, words.state || "", true, kept);
  }

  /* The strategy of an address; null where there is none that can be read. */
  function ownIn(text) {
    try {
      const {losing, rules} = JSON.parse(text || "null") || {};
      return Array.isArray(rules) && rules.every((rule) => rule && typeof rule.when === "string") ? {losing: String(losing || ""), rules} : null;
    } catch {
      return null;
    }
  }

  fromAddress();
  Studio.listGames().then((found) => {
    titles = found;
    if (positions.length) showTitle();
  }).catch(() => {});
});
