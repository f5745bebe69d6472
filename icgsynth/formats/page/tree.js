// A finite game and a fast-and-frugal tree that plays it, for player.js: tree(data) has what it
// asks of a game. A state is the list of the facts that hold, in the order of data.facts. The rules
// are rows that others derive, as in the Python module of the same tree.
"use strict";
function tree(data) {
  const place = new Map(data.facts.map((fact, at) => [fact, 2 + at]));

  // A rule stands for all its images: facts that hold, facts that do not, and the action. In the
  // data it is a list of literals, 2 * fact and 1 more where it is negated, and then the action.
  const rules = data.tree.map((rule) => {
    const images = new Map([[rule.join(), rule]]);
    for (const image of images.values()) { // those that are added on the way are visited, too
      for (const [factTo, actionTo] of data.symmetries) {
        const literals = image.slice(0, -1).map((one) => 2 * factTo[one >> 1] + (one & 1)).sort((one, other) => one - other);
        const moved = [...literals, actionTo[image[image.length - 1]]];
        images.set(moved.join(), moved);
      }
    }
    return [...images.values()].map((image) => {
      const spoken = (sign) => image.slice(0, -1).filter((one) => (one & 1) === sign).map((one) => data.facts[one >> 1]);
      return [spoken(0), spoken(1), data.actions[image[image.length - 1]]];
    });
  });

  // Makes true what the rules derive; a condition is 2 * row, and 1 more where it is negated.
  function run(rows, program) {
    for (const [again, rules] of program) {
      let changed = true;
      while (changed) {
        changed = false;
        for (const [head, body] of rules) {
          if (!rows[head] && body.every((part) => Boolean(rows[part >> 1]) !== Boolean(part & 1))) rows[head] = changed = true;
        }
        changed = changed && again;
      }
    }
  }
  function known(state) {
    const rows = Array(data.rows).fill(false);
    rows[0] = true;
    for (const fact of state) rows[place.get(fact)] = true;
    run(rows, data.state);
    return rows;
  }
  const legal = (rows) => data.moves.map((named) => (rows[data.end] ? [] : Object.keys(named).filter((move) => rows[named[move][0]])));
  // Who moves: who has a choice; where nobody has, who does not idle; -1 at the end.
  function mover(options) {
    if (options.every((moves) => !moves.length)) return -1;
    const free = options.findIndex((moves) => moves.length > 1);
    if (free >= 0) return free;
    const waits = options.map((moves, role) => data.idle[role].includes(moves[0]));
    return options.length === 2 && waits[0] && !waits[1] ? 1 : 0;
  }
  const options = (state) => legal(known(state));
  function after(state, move) {
    const rows = known(state);
    const open = legal(rows), turn = mover(open);
    open.forEach((moves, role) => {
      const done = data.moves[role][role === turn ? move : moves[0]][1];
      if (done > 1) rows[done] = true;
    });
    run(rows, data.step);
    return data.facts.filter((_, at) => rows[data.next[at]]);
  }
  const movesOf = (state) => {
    const open = options(state), turn = mover(open);
    return turn < 0 ? [] : open[turn];
  };
  const counts = (state) => state.map((fact) => data.marks[fact]).filter(Boolean);

  function board(look, state) {
    const shown = data.board;
    if (look === "facts") return { kind: "facts", facts: state };
    if (shown.kind === "piles") {
      const numbers = shown.names.map(() => "0");
      for (const [pile, count] of counts(state)) numbers[pile] = count;
      return { ...shown, counts: numbers };
    }
    if (shown.kind === "graph") {
      const edges = shown.edges.map((ends) => ({ ends, mark: null }));
      for (const [edge, mark] of counts(state)) edges[edge].mark = mark;
      return { ...shown, edges };
    }
    const cells = counts(state).map(([row, column, mark]) => ({ at: [row, column], mark }));
    return { ...shown, cells };
  }
  function spotOf(look, state, move) {
    if (look === "facts") return undefined;
    if (data.board.kind !== "piles") return data.spots[move];
    const old = board(look, state).counts, now = board(look, after(state, move)).counts;
    const changed = old.map((_, pile) => pile).filter((pile) => old[pile] !== now[pile]);
    return changed.length === 1 ? { pile: changed[0], leaves: now[changed[0]] } : undefined;
  }

  return {
    looks: data.looks,
    starts: [data.initial],
    seats: data.roles.map((role) => `You play ${role}`),
    mine: data.player === null ? data.roles.length - 1 : 1 - data.player,
    showsValues: false,
    actions: [],
    written: (state) => state.join(" "),
    begins: (state) => mover(options(state)),
    next: (state) => mover(options(state)),
    turn: (seat) => data.roles[seat],
    told: (state, move) => move,
    helps: (state, seat) => data.player === null || seat === data.player,
    read(typed) {
      const given = typed.split(/\s+(?![^(]*\))/).filter(Boolean).map((fact) => fact.replace(/\s/g, ""));
      const strange = given.find((fact) => !place.has(fact));
      if (strange) throw new Error(`The game has no fact ${strange}; it has: ${data.facts.slice(0, 6).join(" ")} ...`);
      const state = data.facts.filter((fact) => given.includes(fact));
      if (!known(state)[data.end] && options(state).some((moves) => !moves.length)) {
        throw new Error("In this state, which is not the end, a player has no move: some fact is missing.");
      }
      return state;
    },
    winner(state) {
      const rows = known(state);
      if (!rows[data.end]) return null;
      const worth = data.goals.map((goal) => (goal.find(([, row]) => rows[row]) || [0])[0]);
      return worth[0] === worth[1] ? -1 : worth[0] > worth[1] ? 0 : 1;
    },
    endedBy: () => "The game is over",
    wins: () => null,
    moves: (state, look) => movesOf(state).map((move) => ({ move, label: move, spot: spotOf(look, state, move) })),
    board,
    make(state, move) {
      if (!movesOf(state).includes(move)) throw new Error(`${move} is not legal here.`);
      return after(state, move);
    },
    // The first move of the first rule that has one, in the image that fires.
    choose(state) {
      const open = options(state), turn = mover(open);
      if (turn < 0) return null;
      const held = new Set(state);
      for (const [rule, images] of rules.entries()) {
        if (data.player !== null && turn !== data.player) break;
        for (const move of open[turn]) {
          const image = images.find(([these, without, action]) =>
            action === move && these.every((fact) => held.has(fact)) && !without.some((fact) => held.has(fact)));
          if (image) return { move, after: after(state, move), rule, image: images.length > 1 ? told(image) : "" };
        }
      }
      const [move] = open[turn];
      const reason = data.player === null || turn === data.player ? "no rule applies, so any move will do" : `no strategy is known for ${data.roles[turn]}`;
      return { move, after: after(state, move), rule: null, reason };
    },
  };
  function told([these, without, action]) {
    const parts = [...these, ...without.map((fact) => `not ${fact}`)];
    return parts.length ? `if ${parts.join(" and ")}: ${action}` : action;
  }
}
