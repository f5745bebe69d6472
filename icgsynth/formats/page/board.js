// Draws a state of a game and its moves: Board.draw(element, view, onMove).
//
// A view is plain JSON. Numbers of states are decimal strings, rows and columns count from 0, and
// row 0 is at the top. view.board is one of these kinds; beside each is the spot of a move, which
// is what is clicked for it:
//   piles    {names, counts}                            {pile, leaves}
//   squares  {rows}: lengths of rows, Chomp             {row, column}
//   lattice  {names, at, size, from?, losing?}          {to: [x, y]}
//   grid     {rows, columns, cells, drops, line?, names?}  {cell: [row, column]} or {column};
//            names: {rows: [..], columns: [..]}, written beside and below;
//            rule: {facts: [{cell, mark, holds}], spot}, drawn on it: what does not hold is struck out
//   graph    {nodes: [{name, at}], edges: [{ends, mark}]}   {ends: [name, name]}
//   facts    {facts: ["cell(1,1,b)"]}                   no spot
// view.moves has {move, label, spot?, value?, distance?, rule?, hint?}; view.actions instead, where
// moves are too many to list, has {action, parameters, label}. onMove gets the text of the move.
"use strict";
const Board = (() => {
  const LARGE = 60n; // A pile with more counters is a number with a bar.
  const REACH = 22; // A click this near to a spot, in CSS pixels, is meant for it.
  const SIGNS = { win: "+", loss: "\u2212", draw: "=" };
  const WORDS = { win: "wins", loss: "loses", draw: "draws" };

  function make(tag, attributes, ...children) {
    return dress(document.createElement(tag), attributes, children);
  }
  function svg(tag, attributes, ...children) {
    return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  }
  function dress(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
  }

  const sign = (move) =>
    move.value ? SIGNS[move.value] + (move.distance ?? "") : move.hint ? "\u2605" : "";
  function inWords(move) {
    const words = [move.label || move.move];
    if (move.value) {
      words.push(WORDS[move.value] + (move.distance == null ? "" : ` in ${move.distance}`));
    }
    if (move.rule != null) words.push(`rule ${move.rule}`);
    if (move.hint) words.push("hint");
    return words.join(", ");
  }
  const classes = (move, name) =>
    [name, "spot", move.value || "", move.hint ? "hint" : ""].filter(Boolean).join(" ");

  // What is clicked, by its spot: of several moves on one spot the best is shown, and a click
  // leads to the list, where one is chosen.
  class Spots {
    constructor(moves, onMove) {
      this.onMove = onMove;
      this.at = new Map();
      this.nodes = [];
      for (const move of moves) {
        if (!move.spot) continue;
        const key = Spots.key(move.spot);
        this.at.set(key, [...(this.at.get(key) || []), move]);
      }
    }
    static key(spot) {
      return Object.keys(spot).sort().map((name) => `${name}=${spot[name]}`).join(";");
    }
    moves(spot) {
      const found = this.at.get(Spots.key(spot)) || [];
      const rank = (move) => (move.hint ? 0 : 1) + ["win", "draw", undefined, null, "loss"].indexOf(move.value) * 2;
      return [...found].sort((one, other) => rank(one) - rank(other));
    }
    // Makes a node the place of these moves: mouse, Enter, arrow keys, words for screen readers.
    // `goes` are the nodes that the move removes.
    place(node, moves, goes = []) {
      const label = moves.map(inWords).join("; ");
      const names = moves.map((move) => move.move).sort().join(";");
      dress(node, { role: "button", "aria-label": label, "data-moves": names, tabindex: this.nodes.length ? -1 : 0 }, []);
      node.addEventListener("click", (event) => {
        event.stopPropagation();
        this.choose(moves, node);
      });
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.choose(moves, node);
      });
      const mark = (on) => () => goes.forEach((gone) => gone.classList.toggle("goes", on));
      for (const event of ["mouseenter", "focus"]) node.addEventListener(event, mark(true));
      for (const event of ["mouseleave", "blur"]) node.addEventListener(event, mark(false));
      this.nodes.push(node);
    }
    choose(moves, node) {
      if (moves.length === 1) return this.onMove(moves[0].move);
      const buttons = node.closest(".board").querySelectorAll(".moves button");
      const meant = [...buttons].filter((one) => moves.some((move) => move.move === one.value));
      buttons.forEach((one) => one.classList.toggle("meant", meant.includes(one)));
      if (meant.length) meant[0].focus();
    }
  }

  const middle = (node) => {
    const box = node.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  // An arrow key moves to the nearest spot in its direction; the way aside counts double.
  function byArrow(event, nodes) {
    const way = ARROWS[event.key];
    const here = nodes.indexOf(document.activeElement);
    if (!way || !nodes.length) return;
    event.preventDefault();
    if (here < 0) return focusOn(nodes[0], nodes);
    const [x, y] = middle(nodes[here]);
    let best = null, least = Infinity;
    for (const node of nodes) {
      const [dx, dy] = [middle(node)[0] - x, middle(node)[1] - y];
      const along = dx * way[0] + dy * way[1];
      const far = along + 2 * Math.abs(dx * way[1] + dy * way[0]);
      if (along > 1 && far < least) [best, least] = [node, far];
    }
    if (!best) return;
    focusOn(best, nodes);
  }
  // The tab key comes back to the spot that has the focus.
  function focusOn(best, nodes) {
    nodes.forEach((node) => node.setAttribute("tabindex", node === best ? 0 : -1));
    best.focus();
  }
  function nearest(event, nodes) {
    let best = null, least = REACH;
    for (const node of nodes) {
      const [x, y] = middle(node);
      const far = Math.hypot(event.clientX - x, event.clientY - y);
      if (far <= least) [best, least] = [node, far];
    }
    return best;
  }

  const counted = (number) => number.replace(/\B(?=(\d{3})+$)/g, "\u2009");
  function bar(count, most) {
    const part = Number((BigInt(count) * 1000n) / (most || 1n)) / 10;
    return svg("svg", { class: "bar", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "room", width: 100, height: 4 }),
      svg("rect", { class: "part", width: part, height: 4 }));
  }
  // A field for a number, with a button; `send` gets the digits that were typed.
  function field(label, button, send) {
    const input = make("input", { inputmode: "numeric", pattern: "-?[0-9]+", required: "", autocomplete: "off", "aria-label": label });
    const form = make("form", { class: "typed" }, make("label", {}, label, input), make("button", {}, button));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(BigInt(input.value.trim()).toString());
    });
    return form;
  }

  // A row of things of which the last ones go: a pile of counters, or a row of squares.
  // A sign on a counter, a square or a cell: the longer, the smaller, so that it stays on it.
  const badge = (text) => make("span", { class: text.length > 3 ? "sign longer" : text.length > 2 ? "sign long" : "sign" }, text);
  function row(spots, length, shape, spotOf, goesWith) {
    const nodes = [];
    for (let index = 0; index < length; index += 1) {
      const moves = spots.moves(spotOf(index));
      const node = make("span", { class: moves.length ? classes(moves[0], shape) : shape },
        badge(moves.length ? sign(moves[0]) : ""));
      nodes.push(node);
    }
    nodes.forEach((node, index) => {
      const moves = spots.moves(spotOf(index));
      if (moves.length) spots.place(node, moves, goesWith(index, nodes));
    });
    return nodes;
  }

  const kinds = {
    piles(board, spots, view) {
      const counts = board.counts.map(BigInt);
      const most = counts.reduce((one, other) => (one > other ? one : other), 0n);
      const listed = (view.moves || []).some((move) => move.spot);
      return board.counts.map((count, pile) => {
        const box = make("div", { class: "pile" },
          make("div", { class: "pile-name" }, `${board.names[pile]} = `, make("b", {}, counted(count))));
        if (counts[pile] < 0n || counts[pile] > LARGE) {
          box.append(bar(counts[pile] < 0n ? "0" : count, most));
          if (listed && !view.actions) {
            box.append(field(`leave of ${board.names[pile]}`, "move", (leaves) => {
              const moves = spots.moves({ pile, leaves });
              if (moves.length) spots.choose(moves, box);
              else say(box, `No move leaves ${leaves} of ${board.names[pile]} and the rest as it is.`);
            }));
          }
          return box;
        }
        const line = make("div", { class: "counters" });
        line.append(...row(spots, Number(counts[pile]), "counter", (leaves) => ({ pile, leaves }),
          (index, nodes) => nodes.slice(index)));
        if (!counts[pile]) line.append(make("span", { class: "none" }, "empty"));
        box.append(line);
        return box;
      });
    },

    squares(board, spots) {
      const rows = board.rows.map(BigInt);
      if (rows.some((length) => length > LARGE)) {
        return kinds.piles({ names: rows.map((_, index) => `row ${index + 1}`), counts: board.rows }, spots, {});
      }
      const all = [];
      rows.forEach((length, at) => {
        all.push(row(spots, Number(length), "square", (column) => ({ row: at, column }),
          (index) => all.slice(at).flatMap((nodes) => nodes.slice(index))));
      });
      if (all[0] && all[0][0]) {
        all[0][0].classList.add("poison");
        all[0][0].setAttribute("title", "the poisoned square");
      }
      return [make("div", { class: "squares" }, ...all.map((nodes) => make("div", { class: "squares-row" }, ...nodes)))];
    },

    lattice(board, spots, view) {
      const cells = board.size + 1;
      const from = (board.from || ["0", "0"]).map(BigInt);
      const place = (point) => point.map((value, axis) => Number(BigInt(value) - from[axis]));
      const inside = ([x, y]) => x >= 0 && y >= 0 && x < cells && y < cells;
      const cell = (point, attributes) => {
        const [x, y] = place(point);
        return svg("rect", { x: x + 0.06, y: cells - 1 - y + 0.06, width: 0.88, height: 0.88, ...attributes });
      };
      const words = (x, y, text, size, more) =>
        svg("text", { x, y, "font-size": size, "text-anchor": "middle", "aria-hidden": "true", ...more }, text);
      const size = Math.max(0.7, cells / 36);
      const edge = 3 * size;
      const short = (index, axis) => {
        const digits = String(from[axis] + BigInt(index));
        return digits.length > 4 ? "\u2026" + digits.slice(-3) : digits;
      };
      const picture = svg("svg", { class: "lattice", role: "group", "aria-label": `${board.names[0]} to the right, ${board.names[1]} upwards`,
        viewBox: `${-edge} ${-1.6 * size} ${cells + edge + 0.3} ${cells + edge + 1.6 * size}` },
        svg("rect", { class: "ground", width: cells, height: cells }));
      let lines = "";
      for (let index = 0; index <= cells; index += 1) lines += `M${index} 0V${cells}M0 ${index}H${cells}`;
      picture.append(svg("path", { class: "lines", d: lines }));
      const step = cells > 12 ? 5 : 1;
      for (let index = 0; index < cells; index += step) {
        picture.append(words(index + 0.5, cells + 1.1 * size, short(index, 0), size),
          words(-0.3, cells - index - 0.2, short(index, 1), size, { "text-anchor": "end" }));
      }
      picture.append(words(cells / 2, cells + 2.2 * size, board.names[0], size),
        words(0, -0.5 * size, board.names[1], size, { "text-anchor": "start" }));
      for (const point of board.losing || []) {
        if (!inside(place(point))) continue;
        const [x, y] = place(point);
        picture.append(cell(point, { class: "losing" }), svg("circle", { class: "dot", cx: x + 0.5, cy: cells - 0.5 - y, r: 0.12 }));
      }
      const mine = [];
      for (const move of view.moves || []) {
        if (!move.spot || !move.spot.to || !inside(place(move.spot.to))) continue;
        const moves = spots.moves(move.spot);
        if (moves[0] !== move) continue;
        const [x, y] = place(move.spot.to);
        const node = svg("g", { class: classes(move, "point") }, cell(move.spot.to, {}), svg("title", {}, inWords(move)),
          sign(move) ? words(x + 0.5, cells - y - 0.32, sign(move), Math.min(0.5, 1.45 / sign(move).length)) : svg("circle", { cx: x + 0.5, cy: cells - 0.5 - y, r: 0.2 }));
        spots.place(node, moves);
        mine.push(node);
        picture.append(node);
      }
      if (inside(place(board.at))) {
        const [x, y] = place(board.at);
        picture.append(svg("circle", { class: "here", cx: x + 0.5, cy: cells - 0.5 - y, r: 0.42 }));
      }
      picture.addEventListener("click", (event) => {
        const node = nearest(event, mine);
        if (node) node.dispatchEvent(new MouseEvent("click"));
      });
      const at = board.names.map((name, axis) => `${name} = ${board.at[axis]}`).join(", ");
      return [make("p", { class: "at" }, make("span", { class: "ring", "aria-hidden": "true" }), at,
        (board.losing || []).length ? make("span", { class: "legend" }, make("span", { class: "lost", "aria-hidden": "true" }), "lost for who is to move") : null),
      make("div", { class: "wide" }, picture)];
    },

    grid(board, spots) {
      const marks = new Map(board.cells.map((cell) => [cell.at.join(), cell.mark]));
      const rule = board.rule || { facts: [], spot: null };
      const line = new Set((board.line || []).map((at) => at.join()));
      const grid = make("div", { class: "grid" + (board.drops ? " drops" : "") + (board.names ? " named" : "") });
      const named = (text) => (board.names ? grid.append(make("span", { class: "grid-name", "aria-hidden": "true" }, text)) : null);
      grid.style.setProperty("--columns", board.columns);
      const columns = Array.from({ length: board.columns }, (_, column) => spots.moves({ column }));
      if (board.drops) {
        named("");
        columns.forEach((moves, column) => {
          const head = make("span", { class: moves.length ? classes(moves[0], "drop") : "drop" },
            moves.length ? sign(moves[0]) || "\u25bc" : "");
          if (rule.spot && rule.spot.column === column) head.classList.add("aimed");
          if (moves.length) spots.place(head, moves);
          else head.setAttribute("aria-hidden", "true");
          grid.append(head);
        });
      }
      for (let at = 0; at < board.rows; at += 1) {
        if (board.names) named(board.names.rows[at]);
        for (let column = 0; column < board.columns; column += 1) {
          const mark = marks.get([at, column].join());
          const moves = spots.moves({ cell: [at, column] });
          const cell = make("span", { class: (moves.length ? classes(moves[0], "cell") : "cell") + (line.has([at, column].join()) ? " line" : "") },
            mark ? drawn(mark) : moves.length ? badge(sign(moves[0])) : null);
          const asks = rule.facts.filter((fact) => fact.cell.join() === [at, column].join());
          if (asks.length) {
            cell.append(make("span", { class: "asks" }, ...asks.map((fact) => make("span",
              { class: fact.holds ? "asked" : "asked denied", title: `the rule asks for ${fact.holds ? "" : "no "}${fact.mark} here` }, drawn(fact.mark)))));
          }
          if (rule.spot && Spots.key(rule.spot) === Spots.key({ cell: [at, column] })) cell.classList.add("aimed");
          if (moves.length) spots.place(cell, moves);
          else if (mark) dress(cell, { role: "img", "aria-label": `row ${at + 1}, column ${column + 1}: ${mark}` }, []);
          if (board.drops && columns[column].length) {
            cell.addEventListener("click", () => spots.choose(columns[column], cell));
          }
          grid.append(cell);
        }
      }
      if (board.names) ["", ...board.names.columns].forEach(named);
      return [grid];
    },

    graph(board, spots) {
      const where = new Map(board.nodes.map((node) => [node.name, node.at.map((part) => 8 + 84 * part)]));
      const picture = svg("svg", { class: "graph", viewBox: "0 0 100 100", role: "group", "aria-label": "points and lines" });
      const mine = [];
      const rule = board.rule || { facts: [], spot: null };
      for (const edge of board.edges) {
        const [[x1, y1], [x2, y2]] = edge.ends.map((name) => where.get(name));
        const ends = { x1, y1, x2, y2 };
        const moves = spots.moves({ ends: edge.ends });
        const isAimed = rule.spot && rule.spot.ends.join() === edge.ends.join();
        const group = svg("g", { class: moves.length ? classes(moves[0], "edge") : "edge" });
        if (edge.mark) {
          group.append(svg("line", { ...ends, class: `mark ${word(edge.mark)}` }), svg("title", {}, `${edge.ends.join(" to ")}: ${edge.mark}`));
        } else {
          group.append(svg("line", { ...ends, class: isAimed ? "open aimed" : "open" }));
        }
        for (const fact of rule.facts.filter((each) => each.ends.join() === edge.ends.join())) {
          const [x, y] = [x1 + 0.62 * (x2 - x1), y1 + 0.62 * (y2 - y1)];
          group.append(svg("circle", { class: `asked ${word(fact.mark)}`, cx: x, cy: y, r: 2.6 }));
          if (!fact.holds) group.append(svg("path", { class: "denied", d: `M${x - 3} ${y - 3}l6 6m0 -6l-6 6` }));
        }
        if (moves.length) {
          group.append(svg("line", { ...ends, class: "target" }));
          const at = [x1 + 0.4 * (x2 - x1), y1 + 0.4 * (y2 - y1)];
          if (sign(moves[0])) {
            const wide = Math.max(3.6, 1.3 * sign(moves[0]).length + 1);
            group.append(svg("rect", { class: "plate", x: at[0] - wide, y: at[1] - 3.6, width: 2 * wide, height: 7.2, rx: 3.6 }),
              svg("text", { x: at[0], y: at[1] + 1.3, "font-size": 3.8, "text-anchor": "middle", "aria-hidden": "true" }, sign(moves[0])));
          }
          spots.place(group, moves);
          mine.push(group);
        }
        picture.append(group);
      }
      for (const node of board.nodes) {
        const [x, y] = where.get(node.name);
        picture.append(svg("circle", { class: "node", cx: x, cy: y, r: 4.6 }),
          svg("text", { class: "node-name", x, y: y + 1.7, "font-size": 5, "text-anchor": "middle" }, node.name));
      }
      return [picture];
    },

    facts(board) {
      const body = make("tbody");
      for (const fact of [...board.facts].sort()) {
        const [, name, terms] = /^([^(]*)(?:\((.*)\))?$/.exec(fact) || [null, fact, ""];
        body.append(make("tr", {}, make("th", { scope: "row" }, name),
          ...(terms ? terms.split(",") : []).map((term) => make("td", {}, term.trim()))));
      }
      return [make("div", { class: "wide" }, make("table", { class: "facts" }, make("caption", {}, "What holds in this state"), body))];
    },
  };

  const word = (mark) => String(mark).replace(/[^A-Za-z0-9]/g, "-");
  function drawn(mark) {
    if (mark === "x") {
      return svg("svg", { class: "mark-x", viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("path", { d: "M2 2L8 8M8 2L2 8" }));
    }
    if (mark === "o") {
      return svg("svg", { class: "mark-o", viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("circle", { cx: 5, cy: 5, r: 3.1 }));
    }
    if (["red", "yellow", "blue", "white", "black"].includes(mark)) return make("span", { class: `disc ${mark}` }, mark[0]);
    return make("span", { class: mark.length === 1 ? "letter" : "word" }, mark);
  }

  function say(node, text) {
    const status = node.closest(".board").querySelector(".board-says");
    status.textContent = text;
  }

  function list(view, onMove) {
    if (view.actions) {
      return make("div", { class: "moves", tabindex: -1 }, ...view.actions.map((action) => typed(action, onMove)));
    }
    const moves = view.moves || [];
    return make("div", { class: "moves", role: "group", "aria-label": "Moves", tabindex: -1 }, ...moves.map((move) => {
      const button = make("button", { type: "button", value: move.move, "aria-label": inWords(move), class: [move.value || "", move.hint ? "hint" : ""].join(" ").trim() },
        make("span", { class: "label" }, move.label || move.move),
        sign(move) ? make("span", { class: "tag" }, (move.value && move.hint ? "\u2605 " : "") + sign(move)) : null,
        move.rule == null ? null : make("span", { class: "rule-tag" }, `rule ${move.rule}`));
      button.addEventListener("click", () => onMove(move.move));
      return button;
    }));
  }
  function typed(action, onMove) {
    const inputs = action.parameters.map((name) => make("input", {
      inputmode: "numeric", pattern: "\\s*-?[0-9]+\\s*", required: "", autocomplete: "off", "aria-label": `${action.label || action.action}: ${name}` }));
    const form = make("form", { class: "typed" }, make("span", { class: "label" }, action.label || action.action),
      ...inputs.map((input, index) => make("label", {}, `${action.parameters[index]} = `, input)),
      make("button", { type: "submit" }, "move"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const values = inputs.map((input) => BigInt(input.value.trim()).toString());
      onMove(values.length ? `${action.action}(${values.join(", ")})` : action.action);
    });
    return form;
  }

  function draw(element, view, onMove) {
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    const held = focused && focused.closest(".moves, .picture");
    const spots = new Spots(view.moves || [], onMove);
    const picture = make("div", { class: `picture ${view.board.kind}-picture`, tabindex: -1 }, ...kinds[view.board.kind](view.board, spots, view));
    picture.addEventListener("keydown", (event) => byArrow(event, spots.nodes));
    const says = make("p", { class: "board-says", role: "status" },
      view.ended || (view.turn ? `${view.turn} is to move` : ""));
    const moves = list(view, onMove);
    const board = make("div", { class: "board" }, says, make("div", { class: "board-parts" }, picture, moves),
      ...(view.notes || []).map((note) => make("p", { class: "note" }, note)));
    element.replaceChildren(board);
    if (!held) return;
    // What had the focus keeps it where its moves are still there; else the board, or the list, takes
    // it, so that Enter makes no move that nobody has chosen, and an arrow key or Tab goes on.
    const place = held.classList.contains("moves") ? moves : picture;
    const among = place === moves ? [...moves.querySelectorAll("button, input")] : spots.nodes;
    const same = among.find((each) => (place === moves ? focused.value && each.value === focused.value : each.dataset.moves === focused.dataset.moves));
    if (same && place === picture) focusOn(same, spots.nodes);
    else (same || place).focus();
  }

  return { draw };
})();
