/* The page Build and verify: a list of rules made by hand, and what the verifier says of it. */
"use strict";
addEventListener("DOMContentLoaded", () => {
  const at = (id) => document.getElementById(id);
  const {make} = Studio;
  const LOCKED = "locked"; // what a meta-rule is called that was given no name
  const MOST_CHIPS = 80; // facts that are listed though they do not hold

  let game = {};
  let about = null; // what rules of the game may speak of: {finite, actions, variables | roles, ..}
  let rules = []; // {when, action, args} or {when, action, to, text}
  let chosen = -1; // the rule that facts and moves are added to
  let line = []; // the counterexample as a play: {state, made, by, rule}
  let here = 0; // the place in it
  let astray = false; // whether the board shows a counterexample, of these rules or of earlier ones
  let shown = null; // the view of the board
  let round = 0; // counts the games
  let changes = 0; // counts what was changed, so that a late verdict is not taken for this strategy
  let working = null;
  let kept = null; // the strategy as it was left last: a text of {rules, role, losing}
  let past = [], future = []; // such texts, for undo and redo
  let typing = null; // the field whose keys are one change

  /* What can be pressed only once it is known what rules may speak of. */
  function setReady(ready) {
    for (const id of ["add", "rest", "shorten", "empty", "verify"]) at(id).disabled = !ready;
  }

  const role = () => (about && about.finite ? at("role").value : "");

  /* --- the game ------------------------------------------------------------------------ */

  async function begin(asked, words) {
    const mine = (round += 1);
    if (working) working.abort();
    at("fault").replaceChildren();
    try {
      const view = await Studio.ask("/play/view", {game: asked, state: words.state});
      if (mine !== round) return;
      game = asked;
      about = null;
      setReady(false);
      rules = [];
      kept = typing = null;
      past = [];
      future = [];
      at("rule-label").hidden = at("losing-part").hidden = at("state-label").hidden = at("show").hidden = view.finite;
      at("role-label").hidden = at("facts-part").hidden = at("images").hidden = !view.finite;
      Studio.setGame(game);
      at("title").textContent = "Build and verify: " + ((game.text === undefined && Studio.listed.find((each) => each.name === game.name)?.title) || view.view.title);
      document.title = at("title").textContent + " – icgsynth studio";
      forget();
      drawRules();
      showView(view);
      await long(view.finite ? "/play/explore" : "/play/solve", {game, seconds: view.finite ? 120 : 60});
      if (view.finite) words = withShared(words);
      const found = await Studio.ask("/build/begin", {game, tree: words.tree});
      if (mine !== round) return;
      about = {...found, finite: view.finite};
      showAbout(words);
    } catch (fault) {
      if (mine === round) Studio.explain(at("fault"), fault, asked);
    }
  }

  /* The words of the address; where they have no strategy, with the one that was found on Play. */
  function withShared(words) {
    const {trees, role: last} = Studio.shared(game);
    const role = words.role || last;
    const isEmpty = words.tree === undefined && ["", "[]"].includes(words.strategy || "");
    if (!isEmpty || !trees[role]) return words;
    const {strategy, ...rest} = words;
    return {...rest, role, tree: trees[role]};
  }

  /* What is here now is the current strategy, on Play as well. */
  function share() {
    if (about.finite) Studio.share(game, {trees: {[role()]: rules.length ? tree() : undefined}, role: role()});
    else {
      const made = {losing: at("losing").value, rules: asked().rules};
      const isProved = JSON.stringify(made.rules) === JSON.stringify((about.rules || []).map(({text, meta, ...rule}) => rule)) && made.losing === (about.losing ?? "");
      Studio.share(game, {made: isProved || !rules.length ? null : made});
    }
  }

  function showAbout(words) {
    if (about.finite) {
      at("role").replaceChildren(...about.roles.map((each) => make("option", {value: each}, each)));
      at("role").value = about.roles.includes(words.role) ? words.role : about.roles[words.player === "2" ? 1 : 0];
      at("acts").replaceChildren(...about.actions.map((each) => make("option", {value: each.name})));
    }
    at("losing").value = words.losing ?? about.losing ?? "";
    try {
      rules = words.strategy === undefined ? copied(about.rules || []) : JSON.parse(words.strategy).filter((rule) => rule && typeof rule.when === "string");
      for (const rule of rules) if (typeof rule.meta !== "string") delete rule.meta;
    } catch {
      Studio.showFault(at("fault"), {message: "the strategy in the address cannot be read", mend: "copy the whole address"});
    }
    changed();
    drawRules();
    drawBoard();
    setReady(true);
  }

  const copied = (value) => JSON.parse(JSON.stringify(value));

  /* Long work with its progress and the button to cancel it. */
  async function long(path, data) {
    if (working) working.abort();
    const control = (working = new AbortController());
    at("work").hidden = false;
    const tells = Studio.tells(at("progress"));
    tells("at work", "");
    try {
      return await Studio.work(path, data, tells, control.signal);
    } finally {
      if (working === control) {
        working = null;
        at("work").hidden = true;
      }
    }
  }

  /* --- the rules ----------------------------------------------------------------------- */

  const blank = () => ({when: about && about.finite ? "" : "true", action: about && about.finite ? "" : about.actions[0].name, args: {}});

  /* A rule that has a `meta` is locked; those beside each other of one name are a meta-rule, which
     moves as one: from its first rule to behind its last. */
  function span(index) {
    const same = (each) => rules[each] && rules[each].meta && rules[each].meta === rules[index].meta;
    let first = index, last = index + 1;
    while (same(first - 1)) first -= 1;
    while (same(last)) last += 1;
    return [first, last];
  }

  const isLocked = (index) => Boolean(rules[index] && rules[index].meta);

  const written = (rule) => rule.text || (rule.when && rule.when !== "true" ? `if ${rule.when}: ` : "") + rule.action +
    (Object.keys(rule.args || {}).length ? `(${Object.values(rule.args).join(", ")})` : "");

  /* The rules as the text of a tree, one a line, those of a meta-rule below its name. */
  const tree = () => rules.map((rule, index) => (!rule.meta ? written(rule)
    : (span(index)[0] === index ? `meta \`${rule.meta.replaceAll("`", "``")}\`:\n` : "") + "  " + written(rule))).join("\n");

  /* The rules as the server takes them, and which of them are locked. */
  const asked = () => (about.finite ? {game, role: role(), rules: rules.map(written)}
    : {game, losing: at("losing").value, rules: rules.map(({text, meta, ...rule}) => rule)});
  const metas = () => rules.map((rule) => rule.meta || "");

  /* Whether every rule has a move; else the rule without one is named. */
  function isWhole() {
    const number = rules.findIndex((rule) => !rule.action) + 1;
    if (number > 0) Studio.showFault(at("verdict"), {message: `rule ${number} has no move`, mend: "write one, click one on the board, or delete the rule"});
    return number === 0;
  }

  /* What was said of the strategy is about another one now. */
  function forget() {
    changes += 1;
    line = [];
    stand("not verified");
    at("said").textContent = "";
    at("verdict").replaceChildren();
    at("replay").hidden = true;
    for (const row of at("made").children) row.classList.remove("lit");
  }

  /* The headline says how the strategy as it is now stands. */
  function stand(text) {
    at("standing").textContent = text;
    at("standing").className = /^(proved|strongly)/.test(text) ? "badge win" : /^(refuted|not optimal)/.test(text) ? "badge loss" : "badge";
  }

  /* Take down what there was before a change, for undo; all keys in one field are one change. */
  function keep() {
    const text = JSON.stringify({rules, role: role(), losing: at("losing").value});
    if (text === kept) return;
    const field = document.activeElement.matches("#made [aria-label]:read-write, #losing") ? document.activeElement : null;
    if (kept !== null && (field === null || field !== typing)) past.push(kept);
    typing = field;
    future = [];
    kept = text;
  }

  /* Go back in `from`; what there is now can be had again from `to`. */
  function goBack(from, to, said) {
    if (!from.length) return;
    to.push(kept);
    kept = from.pop();
    const was = JSON.parse(kept);
    rules = was.rules;
    if (about.finite) at("role").value = was.role;
    at("losing").value = was.losing;
    typing = null;
    redo(said);
  }

  function changed() {
    forget();
    const words = Studio.wordsOf(game);
    at("none").hidden = rules.length > 0;
    if (!about) return;
    keep();
    at("undo").disabled = !past.length;
    at("redo").disabled = !future.length;
    const own = about.finite ? {role: role()} : {losing: at("losing").value};
    Studio.setFragment({...words, ...own, strategy: JSON.stringify(rules), state: shown ? shown.state : ""});
    seat();
  }

  /* Where *Play it* leads: to the state on the board, with the strategy as one of the players. */
  function seat() {
    const seated = about.finite
      ? {["tree." + role()]: tree(), players: about.roles.map((each) => (each === role() ? "strategy" : "human")).join(",")}
      : {made: JSON.stringify({losing: at("losing").value, rules: asked().rules}), players: "strategy,human", state: shown ? shown.state : ""};
    at("play").href = "/play#" + new URLSearchParams({...Studio.wordsOf(game), ...seated});
  }

  function drawRules() {
    at("none").hidden = rules.length > 0;
    at("made").replaceChildren(...rules.map(row));
    choose(Math.min(chosen, rules.length - 1));
  }

  function row(rule, index) {
    const number = index + 1;
    const field = (label, value, set, more = {}) => {
      const input = make(more.list ? "input" : "textarea", {"aria-label": `${label} of rule ${number}`, autocomplete: "off", spellcheck: "false",
        rows: more.list ? null : 1, readonly: isLocked(index), ...more,
        oninput: () => { set(input.value.replace(/\s+/g, " ").trim()); changed(); drawBoard(); }});
      input.value = value;
      return input;
    };
    const button = (text, label, run, disabled) => {
      const made = make("button", {type: "button", "aria-label": `${label} rule ${number}`, title: label, onclick: run}, text);
      made.disabled = disabled;
      return made;
    };
    const parts = rule.text ? [make("code", {}, rule.text)] : about && about.finite ? [
      make("span", {}, "if"), field("condition", rule.when, (text) => (rule.when = text), {class: "when", placeholder: "always"}),
      make("span", {}, "play"), field("move", rule.action, (text) => (rule.action = text), {list: "acts", class: "act", placeholder: "a move"})]
      : [make("span", {}, "if"), field("condition", rule.when, (text) => (rule.when = text || "true"), {class: "when"}),
        make("span", {}, "play"), picker(rule, number),
        ...parametersOf(rule.action).map((name) => make("label", {}, `${name} = `,
          field(name, (rule.args || {})[name] ?? "", (text) => (rule.args = {...rule.args, [name]: text}), {class: "term"})))];
    const item = make("li", {class: "made-rule", draggable: "true", onfocusin: () => choose(index),
      ondragstart: (event) => { event.dataTransfer.setData("text/plain", String(index)); event.dataTransfer.effectAllowed = "move"; },
      ondragover: (event) => event.preventDefault(),
      ondrop: (event) => { event.preventDefault(); move(Number(event.dataTransfer.getData("text/plain")), index); }},
      make("div", {class: "rule-parts"}, ...parts),
      make("div", {class: "rule-buttons"},
        button("↑", "Move up", () => move(index, span(index)[0] - 1, 0), span(index)[0] === 0),
        button("↓", "Move down", () => move(index, span(index)[1], 1), span(index)[1] === rules.length),
        button("✕", "Delete", () => { rules.splice(index, 1); redo(`Rule ${number} is deleted.`); }, isLocked(index)),
        make("button", {type: "button", "aria-label": `Lock rule ${number}`, "aria-pressed": String(isLocked(index)),
          title: "A locked rule stays as it is, whatever is completed or shortened", onclick: () => lock(index)}, isLocked(index) ? "Locked" : "Lock"),
        isLocked(index) ? make("label", {}, "in ", make("input", {class: "term", "aria-label": `Meta-rule of rule ${number}`, autocomplete: "off", value: rule.meta,
          title: "Locked rules beside each other of one name are a meta-rule, which moves as one",
          onchange: (event) => { rule.meta = event.target.value.trim() || LOCKED; redo(""); }})) : null));
    return item;
  }

  const parametersOf = (name) => ((about ? about.actions : []).find((each) => each.name === name) || {parameters: []}).parameters;

  function picker(rule, number) {
    const select = make("select", {"aria-label": `move of rule ${number}`, onchange: () => {
      rule.action = select.value;
      rule.args = Object.fromEntries(parametersOf(rule.action).map((name) => [name, (rule.args || {})[name] ?? ""]));
      redo("");
    }}, ...about.actions.map((each) => make("option", {value: each.name}, each.name)));
    select.value = rule.action;
    return select;
  }

  function redo(said) {
    changed();
    drawRules();
    at("moved").textContent = said;
  }

  /* Rule `from`, with its meta-rule, to the other side of the one at `to`; the button with this
     number keeps the focus. */
  function move(from, to, button) {
    if (!(from in rules) || !(to in rules)) return;
    const [first, last] = span(from);
    if (first <= to && to < last) return;
    const place = to < first ? span(to)[0] : span(to)[1] - (last - first);
    rules.splice(place, 0, ...rules.splice(first, last - first));
    chosen = place + from - first;
    redo(`Rule ${from + 1} is now rule ${chosen + 1}.`);
    const buttons = button === undefined ? [] : at("made").children[chosen].querySelectorAll("button");
    const again = buttons[button] && (buttons[button].disabled ? buttons[1 - button] : buttons[button]);
    if (again) again.focus();
  }

  function lock(index) {
    const rule = rules[index];
    if (!rule.meta && !isWhole()) return;
    if (rule.meta) delete rule.meta;
    else rule.meta = LOCKED;
    redo(rule.meta ? `Rule ${index + 1} is locked.` : `Rule ${index + 1} can be changed again.`);
    at("made").children[index].querySelector("[aria-pressed]").focus();
  }

  /* The rule that moves and facts are added to: the chosen one, or a new one where that is locked. */
  function open() {
    if (chosen in rules && !isLocked(chosen)) return rules[chosen];
    insert(blank(), rules.length, "");
    return rules[chosen];
  }

  function choose(index) {
    chosen = index;
    [...at("made").children].forEach((item, each) => item.classList.toggle("chosen", each === index));
    drawBoard();
  }

  function insert(rule, place, said) {
    rules.splice(place, 0, rule);
    chosen = place;
    redo(said);
  }

  /* --- verify, complete, shorten --------------------------------------------------------- */

  async function verify() {
    const mine = changes;
    at("fault").replaceChildren();
    if (!isWhole()) return;
    at("verdict").replaceChildren(make("p", {class: "soft"}, "The strategy is being checked."));
    try {
      const found = await long("/build/verify", {...asked(), ...(about.finite ? {metas: metas()} : {}), seconds: Number(at("seconds").value) || 60});
      if (mine !== changes) return;
      share();
      showVerdict(found);
    } catch (fault) {
      if (mine === changes) Studio.showFault(at("verdict"), fault);
    }
  }

  function showVerdict(found) {
    const parts = [];
    stand(found.standing);
    if (found.verdict === "proved") {
      if (astray) showState("");
      parts.push(make("p", {class: "proved"}, about.finite ? `✓ Proved: ${role()} never gives anything away in any line of play.` : "✓ Proved: it wins from every state that can be won."));
    } else if (found.state !== undefined) {
      const row = found.number === null ? null : at("made").children[found.number - 1];
      if (row) row.classList.add("lit");
      if (found.standing === "weakly optimal") parts.push(make("p", {}, "No rule gives anything away; but where none applies, not every move is good."));
      parts.push(make("p", {class: "gave"}, found.number === null
        ? `✗ Refuted. In ${found.shown} no rule applies${about.finite ? ", and not every move is good" : ", though a move wins"}.`
        : `✗ Refuted. In ${found.shown} rule ${found.number} plays ${found.move}` +
          (found.move.includes(" or ") ? "; not all of these are good." : ", which gives the game away.")));
      if (found.good) parts.push(make("p", {}, "Good moves there: ", found.good.join(", "), "."));
      parts.push(make("div", {class: "bar-of-buttons"}, make("button", {type: "button", id: "correct", onclick: () => correct(found)}, "Add the correct rule"),
        make("a", {class: "button", href: "/play#" + new URLSearchParams({...Studio.wordsOf(game), state: found.state})}, "Play from there")));
    } else if (found.verdict === "refuted") {
      parts.push(make("p", {class: "gave"}, "✗ Refuted."));
    } else {
      parts.push(make("p", {}, "Neither proved nor refuted in this time; nothing is claimed."));
    }
    for (const claim of found.state === undefined ? found.claims || [] : []) {
      parts.push(make("p", {}, `${claim.verdict}: ${claim.claim || claim.part}`,
        claim.state ? make("button", {type: "button", onclick: () => showState(claim.state)}, `See ${claim.state}`) : ""));
    }
    parts.push(make("details", {}, make("summary", {}, "What the verifier says"), make("pre", {}, found.report)));
    at("verdict").replaceChildren(...parts);
    line = found.line || [];
    here = about.finite ? Math.max(0, line.length - 1) : 0;
    at("replay").hidden = line.length < 2;
    astray = line.length > 0;
    if (astray) replay(here);
  }

  /* Where a rule has to stand to come before the one that is wrong, and before its meta-rule. */
  const placeOf = (found) => (found.number === null || found.number > rules.length ? rules.length : span(found.number - 1)[0]);

  /* A rule that is right in the state of the counterexample, before the rule that is wrong there. */
  async function correct(found) {
    const mine = changes;
    const number = found.number === null ? null : placeOf(found) + 1;
    const data = {...asked(), state: found.state, number, seconds: Number(at("seconds").value) || 60};
    try {
      const right = await long("/build/rule", data);
      if (mine !== changes) return;
      const known = rules.findIndex((rule) => written(rule) === written(right.rule));
      if (known >= 0 && !isLocked(known)) rules.splice(known, 1);
      const place = placeOf(found);
      insert(right.rule, place, `A rule that plays ${right.move} there is now rule ${place + 1}. Verify again.`);
    } catch (fault) {
      if (mine === changes) Studio.showFault(at("fault"), fault);
    }
  }

  async function improved(path, said) {
    const mine = changes;
    at("fault").replaceChildren();
    if (!isWhole()) return;
    try {
      const data = {...asked(), metas: metas(), seconds: Number(at("seconds").value) || 60};
      const found = await long(path, data);
      if (mine !== changes) return;
      const before = rules.length;
      const mineOf = (rule) => (rule.of === undefined ? rules.find((each) => written(each) === written(rule)) : rules[rule.of]);
      rules = found.rules.map((rule) => mineOf(rule) || rule);
      share();
      redo(said(before, rules.length));
    } catch (fault) {
      if (mine === changes) Studio.showFault(at("fault"), fault);
    }
  }

  Studio.made = () => (!about ? {} : about.finite ? {role: role(), tree: tree()} : {losing: asked().losing, rules: asked().rules});

  /* --- the board ------------------------------------------------------------------------- */

  async function showState(state, said = "") {
    const mine = round;
    try {
      const view = await Studio.ask("/play/view", {game, state});
      if (mine !== round) return;
      at("said").textContent = said;
      showView(view);
    } catch (fault) {
      if (mine === round) Studio.showFault(at("fault"), fault);
    }
  }

  function showView(view) {
    shown = view;
    at("state").value = view.finite ? "" : view.state;
    if (about) seat();
    drawBoard();
  }

  function drawBoard() {
    if (!shown) return;
    Board.draw(at("board"), {...shown.view, board: {...shown.view.board, rule: drawnRule()}, turn: null}, picked);
    drawChips();
  }

  /* The chosen rule of a tree as the board shows it: what it asks for, what it denies, its move. */
  function drawnRule() {
    const rule = rules[chosen];
    if (!rule || !about || !about.finite) return null;
    const name = (text) => text.replace(/^`|`$/g, "").replaceAll("``", "`");
    const facts = literalsOf(rule).map((text) => ({holds: !/^not /.test(text), ...about.places[name(text.replace(/^not /, ""))]}));
    return {facts: facts.filter((fact) => fact.mark), spot: about.spots[name(rule.action)] || null};
  }

  /* A move on the board becomes the move of the chosen rule, or a rule for this one state. */
  function picked(move) {
    if (!about) return;
    if (about.finite) {
      open().action = move;
      redo(`Rule ${chosen + 1} plays ${move}.`);
      return;
    }
    const [, action, inner] = /^(\w+)(?:\((.*)\))?$/.exec(move) || [];
    const values = inner ? inner.split(",") : [];
    const parameters = parametersOf(action);
    if (values.length !== parameters.length) return;
    const numbers = shown.state.split(",");
    insert({when: about.variables.map((name, index) => `${name} = ${numbers[index]}`).join(" and "), action,
      args: Object.fromEntries(parameters.map((name, index) => [name, values[index].trim()]))},
      chosen in rules ? chosen : rules.length, "A rule for this one state is added.");
  }

  const literalsOf = (rule) => (rule.when && rule.when !== "true" ? rule.when.split(/\s+and\s+/) : []);

  function drawChips() {
    if (!about || !about.finite || !shown) return;
    const rule = rules[chosen];
    const held = rule ? literalsOf(rule) : [];
    const facts = shown.state.split(" ").filter((fact) => about.literals.includes(fact));
    const focus = document.activeElement && document.activeElement.dataset.fact;
    const chip = (fact) => {
      const sign = held.includes(fact) ? "✓ " : held.includes("not " + fact) ? "not " : "";
      return make("button", {type: "button", class: "chip", "aria-pressed": String(sign !== ""), "data-fact": fact,
        onclick: () => toggle(fact, facts.includes(fact))}, sign + fact);
    };
    at("chips").replaceChildren(...facts.map(chip));
    const others = about.literals.filter((fact) => !facts.includes(fact));
    at("others").hidden = others.length === 0 || others.length > MOST_CHIPS;
    at("absent").replaceChildren(...(at("others").hidden ? [] : others.map(chip)));
    if (focus) [...document.querySelectorAll(".chip")].find((each) => each.dataset.fact === focus)?.focus();
  }

  /* A fact of the board is asked for, then denied, then left out; one that does not hold is denied first. */
  function toggle(fact, holds) {
    const rule = open();
    const held = literalsOf(rule);
    const rest = held.filter((each) => each !== fact && each !== "not " + fact);
    const order = holds ? [fact, "not " + fact] : ["not " + fact, fact];
    const next = order[order.findIndex((each) => held.includes(each)) + 1];
    if (next) rest.push(next);
    rule.when = rest.join(" and ");
    redo("");
  }

  /* One state of the counterexample. */
  function replay(index) {
    here = index;
    const step = line[index];
    at("first").disabled = at("back").disabled = index === 0;
    at("next").disabled = index === line.length - 1;
    const who = step.rule ? `${step.by}, rule ${step.rule}` : step.by;
    showState(step.state, step.made ? `Position ${index + 1} of ${line.length}: next comes ${step.made} (${who}).`
      : line.length > 1 ? `Position ${index + 1} of ${line.length}${about.finite ? ": here the strategy fails" : ": the end of the play"}.` : "");
  }

  /* --- what is pressed --------------------------------------------------------------------- */

  at("choose").addEventListener("submit", (event) => {
    event.preventDefault();
    Studio.turnPage();
    begin(Studio.chosen(), {});
  });
  at("role").addEventListener("change", async () => {
    rules = [];
    redo(`These are rules for ${role()} now.`);
    const [mine, text] = [changes, Studio.shared(game).trees[role()]];
    if (!text) return;
    try {
      const found = await Studio.ask("/build/begin", {game, tree: text});
      if (mine !== changes) return;
      rules = found.rules;
      redo(`This is the current strategy of ${role()}.`);
    } catch (fault) {
      Studio.showFault(at("fault"), fault);
    }
  });
  at("losing").addEventListener("input", changed);
  at("add").addEventListener("click", () => {
    insert(blank(), rules.length, "");
    at("made").lastChild.querySelector("input").focus();
  });
  at("empty").addEventListener("click", () => {
    rules = rules.filter((rule) => rule.meta);
    share();
    redo(rules.length ? "The locked rules are left." : "The list is empty.");
  });
  at("undo").addEventListener("click", () => goBack(past, future, "Undone."));
  at("redo").addEventListener("click", () => goBack(future, past, "Done again."));
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea")) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    at(key === "y" || event.shiftKey ? "redo" : "undo").click();
  });
  at("verify").addEventListener("click", () => verify());
  at("rest").addEventListener("click", () => improved("/build/rest",
    (before, after) => (after > before ? `${after - before === 1 ? "One rule was" : `${after - before} rules were`} added. Verify again.` : "Nothing is missing.")));
  at("shorten").addEventListener("click", () => improved("/build/shorten",
    (before, after) => (after < before ? `${before - after} rules were not needed. Verify again.` : "No rule can be left out.")));
  at("cancel").addEventListener("click", () => working && working.abort());
  at("at").addEventListener("submit", (event) => { event.preventDefault(); showState(at("state").value.trim()); });
  at("first").addEventListener("click", () => replay(0));
  at("back").addEventListener("click", () => here > 0 && replay(here - 1));
  at("next").addEventListener("click", () => here < line.length - 1 && replay(here + 1));
  Studio.onAddress(fromAddress);

  function fromAddress() {
    const words = Studio.fragment();
    begin(Studio.begun(words), words);
  }

  fromAddress();
  Studio.listGames().catch(() => {});
});
