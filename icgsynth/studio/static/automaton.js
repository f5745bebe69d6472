/* The page Automaton: the digits of a state are read one column after the other. */
"use strict";
addEventListener("DOMContentLoaded", () => {
  const at = (id) => document.getElementById(id);
  const {make} = Studio;
  const SECONDS = 60;
  const FEW = 3; // columns that are written at an arrow
  const MANY = 10; // states from which on only the arrows of the present state are labelled
  const RADIUS = 40;
  let walk = null; // what the server told
  let step = 0; // columns that are read
  let working = null;

  const svg = (tag, attributes, ...children) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };

  async function read(first) {
    if (working) working.abort();
    const mine = new AbortController();
    working = mine;
    at("fault").replaceChildren();
    at("work").hidden = false;
    const tells = Studio.tells(at("progress"));
    tells("solving the game", "");
    const asked = Studio.chosen();
    try {
      await Studio.work("/play/solve", {game: asked, seconds: SECONDS}, tells, mine.signal);
      const found = await Studio.ask("/automaton/walk", {game: asked, state: at("state").value.trim()}, mine.signal);
      walk = found;
      Studio.setGame(asked);
      at("shown").hidden = false;
      at("state").value = found.state;
      at("title").textContent = found.title;
      at("told").replaceChildren("Lost iff ", make("code", {}, found.losing), found.proved ? ", proved for all states." : ", which is not proved.",
        ` The digits are in ${found.system}.`);
      at("text").textContent = found.text;
      at("play").href = `/play#${new URLSearchParams({...Studio.wordsOf(asked), state: found.state})}`;
      at("step").max = found.path.length - 1;
      draw();
      go(Math.min(first, found.path.length - 1));
    } catch (fault) {
      at("shown").hidden = true;
      if (!fault.cancelled) Studio.explain(at("fault"), fault, asked);
      else if (working === mine) at("fault").replaceChildren(make("p", {class: "soft"}, "Cancelled."));
    } finally {
      if (working === mine) {
        working = null;
        at("work").hidden = true;
      }
    }
  }

  function go(to) {
    step = Math.max(0, Math.min(to, walk.path.length - 1));
    at("step").value = step;
    at("first").disabled = at("back").disabled = step === 0;
    at("forth").disabled = at("last").disabled = step === walk.path.length - 1;
    digits();
    light();
    verdict();
    Studio.setFragment({...Studio.wordsOf(Studio.game), state: walk.state, step: step || ""});
  }

  const named = (state) => (state === null ? "–" : String(state));

  function digits() {
    const cell = (text, column, tag = "td") => make(tag, {class: column === step - 1 ? "now" : column < step ? "read" : null}, text);
    const long = walk.weights.some((weight) => weight.length > 6);
    const rows = walk.tracks.map((track, row) => make("tr", {}, make("th", {scope: "row"}, track),
      ...walk.digits[row].map((digit, column) => cell(String(digit), column))));
    const weights = make("tr", {class: "soft"}, make("th", {scope: "row"}, "weight"),
      ...walk.weights.map((weight, column) => cell(long ? "" : weight, column)));
    const states = make("tr", {}, make("th", {scope: "row"}, "state"),
      ...walk.path.slice(1).map((state, column) => cell(column < step ? named(state) : "", column)));
    at("digits").replaceChildren(...(long ? [] : [weights]), ...rows, states);
    const now = at("digits").querySelector(".now");
    if (now) now.scrollIntoView({block: "nearest", inline: "nearest"});
  }

  function verdict() {
    const here = walk.path[step];
    const told = at("verdict");
    told.className = "status";
    if (step < walk.path.length - 1) {
      told.textContent = here === null ? "No arrow reads these digits: the state is won." : `In state ${here}; ${walk.path.length - 1 - step} to read.`;
      return;
    }
    told.classList.add(walk.accepts ? "gave" : "proved");
    const end = here === null ? "No arrow reads these digits" : `The word ends in state ${here}, ${walk.accepts ? "with" : "without"} a double ring`;
    told.textContent = `${end}: whoever is to move ${walk.accepts ? "loses" : "wins"}.`;
  }

  /* The states on a circle, the first at the left; an arrow to itself points outwards. */
  function draw() {
    const count = walk.states.length;
    const ring = count === 1 ? 0 : RADIUS + Math.max(0, count - 8) * 5;
    const size = 5;
    const place = new Map(walk.states.map((state, number) => {
      const turn = count === 1 ? -Math.PI / 2 : Math.PI + (2 * Math.PI * number) / count;
      return [state, [ring * Math.cos(turn), ring * Math.sin(turn), turn]];
    }));
    const edge = Math.max(ring, 16) + 22;
    const picture = svg("svg", {viewBox: `${-edge} ${-edge} ${2 * edge} ${2 * edge}`, class: count > MANY ? "automaton many" : "automaton", role: "img", "aria-label": `An automaton with ${count} states`},
      svg("defs", {}, svg("marker", {id: "tip", viewBox: "0 0 6 6", refX: 5, refY: 3, markerWidth: 3, markerHeight: 3, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse"}, svg("path", {d: "M0 0L6 3L0 6z"}))));
    for (const {from, to, reads} of walk.edges) {
      const [path, x, y] = arrow(place.get(from), place.get(to), size);
      const few = reads.slice(0, FEW).join("  ") + (reads.length > FEW ? " …" : "");
      picture.append(svg("g", {class: "arrow", "data-from": from, "data-to": to}, svg("title", {}, `${from} to ${to}: ${reads.join("  ")}`),
        svg("path", {d: path, "marker-end": "url(#tip)"}), svg("text", {x, y}, few)));
    }
    for (const [state, [x, y]] of place) {
      const node = svg("g", {class: "state", "data-state": state}, svg("circle", {cx: x, cy: y, r: size}));
      if (walk.accepting.includes(state)) node.append(svg("circle", {class: "inner", cx: x, cy: y, r: size - 1.2}));
      node.append(svg("text", {x, y: y + 1.5}, String(state)));
      picture.append(node);
    }
    at("drawn").replaceChildren(picture);
  }

  function arrow([x1, y1, turn], [x2, y2], size) {
    if (x1 === x2 && y1 === y2) {
      const [dx, dy] = [Math.cos(turn), Math.sin(turn)];
      const [fx, fy] = [x1 + size * Math.cos(turn - 0.5), y1 + size * Math.sin(turn - 0.5)];
      const [gx, gy] = [x1 + size * Math.cos(turn + 0.5), y1 + size * Math.sin(turn + 0.5)];
      const far = size + 11;
      const [px, py] = [x1 + far * Math.cos(turn - 0.6), y1 + far * Math.sin(turn - 0.6)];
      const [qx, qy] = [x1 + far * Math.cos(turn + 0.6), y1 + far * Math.sin(turn + 0.6)];
      return [`M${fx} ${fy}C${px} ${py} ${qx} ${qy} ${gx} ${gy}`, x1 + 15 * dx, y1 + 15 * dy + 1];
    }
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const bend = 6; // to the left of the way, so that there and back are two arrows
    const [mx, my] = [(x1 + x2) / 2 - dy * bend, (y1 + y2) / 2 + dx * bend];
    const away = (x, y) => {
      const l = Math.hypot(mx - x, my - y);
      return [x + (size * (mx - x)) / l, y + (size * (my - y)) / l];
    };
    const [fx, fy] = away(x1, y1), [gx, gy] = away(x2, y2);
    return [`M${fx} ${fy}Q${mx} ${my} ${gx} ${gy}`, (x1 + x2) / 2 - dy * bend * 0.75, (y1 + y2) / 2 + dx * bend * 0.75 + 1];
  }

  function light() {
    const here = walk.path[step], before = step ? walk.path[step - 1] : undefined;
    for (const node of at("drawn").querySelectorAll(".state")) node.classList.toggle("now", Number(node.dataset.state) === here && here !== null);
    for (const node of at("drawn").querySelectorAll(".arrow")) {
      node.classList.toggle("leaves", Number(node.dataset.from) === here && here !== null);
      node.classList.toggle("now", here !== null && before != null && Number(node.dataset.from) === before && Number(node.dataset.to) === here);
    }
  }

  at("choose").addEventListener("submit", (event) => {
    event.preventDefault();
    read(0);
  });
  at("cancel").addEventListener("click", () => working && working.abort());
  at("first").addEventListener("click", () => go(0));
  at("back").addEventListener("click", () => go(step - 1));
  at("forth").addEventListener("click", () => go(step + 1));
  at("last").addEventListener("click", () => go(walk.path.length - 1));
  at("step").addEventListener("input", () => go(Number(at("step").value)));

  const said = Studio.fragment();
  Studio.setGame(Studio.begun(said));
  at("state").value = said.state || "";
  Studio.listGames().catch((fault) => Studio.showFault(at("fault"), fault));
  read(Number(said.step) || 0);
});
