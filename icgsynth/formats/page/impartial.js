// An impartial game whose states are integers, for player.js: impartial(rules) has what it asks of
// a game. `rules` is written by impartial_page.py: its functions take the numbers of a state as s
// and those of a move as p, all BigInt.
"use strict";
const div = (a, b) => (a - mod(a, b)) / b; // rounded down, for b > 0
const mod = (a, b) => ((a % b) + b) % b;
const min = (a, b) => (a < b ? a : b);
const max = (a, b) => (a > b ? a : b);
const abs = (a) => (a < 0n ? -a : a);

function impartial(rules) {
  const LISTED = 200; // moves that stand in a list; more are typed
  const TRIED = 10000; // candidates looked at before the question is given up
  const { variables, actions } = rules;
  const shown = (s) => (s.length === 1 ? `${variables[0]} = ${s[0]}` : `(${variables.join(", ")}) = (${s.join(", ")})`);
  const open = (s) => rules.legal(s) && !rules.end(s);
  // What a move does and what it leaves: "take 4 from a: a = 5".
  function told(before, after) {
    const changed = variables.map((_, at) => at).filter((at) => before[at] !== after[at]);
    const verb = (at) => (after[at] < before[at] ? "take" : "add");
    const done = changed.map((at, place) => (place && verb(at) === verb(changed[place - 1]) ? "" : `${verb(at)} `) +
      `${abs(after[at] - before[at])} ${verb(at) === "take" ? "from" : "to"} ${variables[at]}`);
    return done.length ? `${done.join(" and ")}: ${changed.map((at) => `${variables[at]} = ${after[at]}`).join(", ")}` : "nothing changes";
  }
  const text = (action, p) => (p.length ? `${action.name}(${p.join(", ")})` : action.name);

  // The state after a move, or null where it does not apply; s is legal and not ended.
  function after(action, s, p) {
    if (!action.pre(s, p)) return null;
    const next = action.after(s, p);
    return rules.legal(next) ? next : null;
  }
  // Parameters between their bounds, in order; with `few` only those near the bounds.
  function* candidates(action, s, few, p = []) {
    if (p.length === action.parameters.length) {
      yield p;
      return;
    }
    const [low, high] = action.bounds[p.length].map((bound) => bound && bound(s, p));
    const count = BigInt(few ? (action.parameters.length === 1 ? 16 : 4) : 0);
    for (const number of few ? ends(low, high, count) : span(low, high)) yield* candidates(action, s, few, [...p, number]);
  }
  function* span(low, high) {
    if (low === null || high === null) throw new RangeError("no bound");
    for (let number = low; number <= high; number += 1n) yield number;
  }
  function* ends(low, high, count) {
    if (low === null && high === null) [low, high] = [-count, count];
    if (low === null) low = high - 2n * count;
    if (high === null) high = low + 2n * count;
    if (high - low < 2n * count) yield* span(low, high);
    else {
      yield* span(low, low + count - 1n);
      yield* span(high - count + 1n, high);
    }
  }
  function* found(s, few) {
    if (!open(s)) return;
    for (const action of actions) {
      for (const p of candidates(action, s, few)) {
        const next = after(action, s, p);
        yield next && { action, p, after: next, move: text(action, p) };
      }
    }
  }
  // All moves, if they can be listed; else null.
  function listed(s) {
    const moves = [];
    let tried = 0;
    try {
      for (const move of found(s, false)) {
        if (move) moves.push(move);
        if ((tried += 1) > TRIED || moves.length > LISTED) return null;
      }
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
    return moves;
  }
  const some = (s) => listed(s) || [...found(s, true)].filter(Boolean);

  // A lattice shows no move of a state that is far out.
  const drawn = (look, s) => (look === "lattice" && s.some((number) => abs(number) > 1000n) ? "facts" : look);
  function spotOf(look, s, next) {
    if (look === "facts") return undefined;
    if (look === "lattice") return { to: next.map(String) };
    const changed = s.map((_, at) => at).filter((at) => s[at] !== next[at]);
    if (look === "squares") return { row: changed[0], column: String(next[changed[0]]) };
    const [pile] = changed;
    return changed.length === 1 && next[pile] < s[pile] ? { pile, leaves: String(next[pile]) } : undefined;
  }
  function board(wanted, s, values) {
    const look = drawn(wanted, s);
    const numbers = s.map(String);
    if (look === "squares") return { kind: "squares", rows: numbers };
    if (look === "facts") return { kind: "facts", facts: s.map((number, at) => `${variables[at]} = ${number}`) };
    if (look === "piles") return { kind: "piles", names: variables, counts: numbers };
    const most = s.reduce(max, 0n);
    const size = most <= 20n ? 20 : 40;
    const from = s.map((number) => (number >= 0n && number <= BigInt(size) ? 0n : number - BigInt(size / 2)));
    const losing = [];
    for (let x = 0; values && x <= size; x += 1) {
      for (let y = 0; y <= size; y += 1) {
        const point = [from[0] + BigInt(x), from[1] + BigInt(y)];
        if (rules.legal(point) && !rules.winning(point)) losing.push(point.map(String));
      }
    }
    return { kind: "lattice", names: variables, at: numbers, from: from.map(String), size, losing };
  }

  return {
    looks: rules.looks,
    seats: ["You begin", "The strategy begins"],
    starts: rules.starts.map((numbers) => numbers.map(BigInt)),
    shown,
    written: (s) => s.join(","),
    begins: (s, seat) => seat,
    next: (s, seat) => 1 - seat,
    turn: () => null,
    told: (s, move, next) => told(s, next),
    helps: () => true,
    read(typed) {
      const named = new Map([...typed.matchAll(/([A-Za-z_]\w*)\s*[=:]\s*(-?\d+)/g)].map(([, name, number]) => [name, number]));
      const numbers = named.size ? variables.map((name) => named.get(name)) : typed.match(/-?\d+/g) || [];
      const count = named.size || numbers.length;
      if (count !== variables.length || numbers.some((number) => !number || number.length > 1000)) {
        throw new Error(`Write a number for each of ${variables.join(", ")}: ${variables.map(() => 7).join(",")}.`);
      }
      const s = numbers.map(BigInt);
      if (!rules.legal(s)) throw new Error(`${shown(s)} is not a legal state: ${rules.legalText}.`);
      return s;
    },
    // Who has won, by seat; null while the game goes on.
    winner(s, seat) {
      if (open(s) && (rules.winning(s) && this.choose(s) || some(s).length)) return null;
      if (open(s) && listed(s) === null) return null; // whether a move is left is too hard to tell
      return rules.misere ? seat : 1 - seat;
    },
    endedBy: (s) => (rules.end(s) ? "The game is over" : null),
    wins: (s) => rules.winning(s),
    moves(s, look, values) {
      const moves = listed(s);
      return moves && moves.map((one) => ({
        move: one.move,
        label: told(s, one.after),
        spot: spotOf(drawn(look, s), s, one.after),
        value: values ? (rules.winning(one.after) ? "loss" : "win") : null,
      }));
    },
    actions: actions.map((action) => ({ action: action.name, parameters: action.parameters, label: `${action.name}: ${action.text}` })),
    board,
    // The state after a move that is written as the program prints it.
    make(s, typed) {
      const [, name, inner] = /^([^(]*)(?:\((.*)\))?$/.exec(typed);
      const action = actions.find((one) => one.name === name);
      const p = inner ? inner.split(",").map((number) => BigInt(number.trim())) : [];
      const next = open(s) && after(action, s, p);
      if (next) return next;
      if (!action.pre(s, p)) throw new Error(`${typed} does not apply here: it needs ${action.text}.`);
      throw new Error(`${typed} leads to ${shown(action.after(s, p))}, which is not legal: ${rules.legalText}.`);
    },
    // The move of the first rule that applies; where the state is lost, the smallest move.
    choose(s) {
      if (!open(s)) return null;
      if (rules.winning(s)) {
        for (const [rule, { action, when, moves }] of rules.rules.entries()) {
          if (!when(s)) continue;
          for (const p of moves(s)) {
            const next = after(actions[action], s, p);
            if (next) return { move: text(actions[action], p), after: next, rule };
          }
        }
      }
      const moves = some(s);
      const winning = moves.find((one) => !rules.winning(one.after));
      if (winning) return { ...winning, rule: null, reason: "it leads to a losing state" };
      const change = (one) => one.after.reduce((sum, number, at) => sum + abs(number - s[at]), 0n);
      const least = moves.reduce((best, one) => (best === null || change(one) < change(best) ? one : best), null);
      return least && { ...least, rule: null, reason: rules.winning(s) ? "no rule fits here" : "every move loses here, so it makes a small one" };
    },
  };
}
