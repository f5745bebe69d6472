/* The page Rules: what is typed is checked, drawn and, as far as a few seconds go, solved. */
"use strict";
addEventListener("DOMContentLoaded", () => {
  const at = (id) => document.getElementById(id);
  const {make} = Studio;
  const PAUSE = 500; // milliseconds without a key before the text is looked at
  const LOOK = 10; // seconds for a check, and for a table
  const GLANCE = 5; // seconds of solving that happen by themselves
  const MARKS = {proved: "✓", refuted: "✗", unknown: "?", read: "✓"};

  let round = 0; // counts the texts that were looked at
  let seen = null; // the text that was looked at last
  let finite = false; // whether the text is a game description (GDL)
  let other = false; // whether it is no game that can be drawn, as heaps are
  let working = null; // the AbortController of long work
  let first = {}; // {text, game}: the rules that were last read, and the game that has them
  let checking = null; // that of what is asked of the text as it is

  let family = null; // the text whose constants the sliders show
  let stated = null; // the rule of play that the text stated when it was looked at last
  let draft = new Draft(""); // the rules as they are kept

  /* A game of the catalog as long as its rules are not changed. */
  const game = () => ({...(at("text").value === first.text ? first.game : ownGame(at("text").value)),
    rule: at("rule").value, ...(at("text").value === family ? Studio.constants() : {})});

  /* A board game has the name under which it is kept, whatever its rules are by now. */
  function ownGame(text) {
    const made = Own.game(text);
    if (made.name && Own.isBoard(Own.all()[draft.name]?.text || "")) made.name = draft.name;
    return made;
  }

  /* Rules of one's own are kept as they are typed, whether they are a game yet or not. */
  function keep(asked, isDraft) {
    if (asked.text === undefined) draft.drop();
    else draft.keep(asked, isDraft);
    at("own-label").hidden = asked.text === undefined || !Own.isBoard(asked.text);
    if (document.activeElement !== at("own-name")) at("own-name").value = at("own-label").hidden ? "" : draft.name;
    const told = draft.name ? `Kept in this browser as “${draft.name}”${isDraft ? ", not finished" : ""}.` : "";
    if (at("kept").textContent !== told) at("kept").textContent = told;
    Studio.showGames();
    if (document.activeElement !== at("game")) at("game").value = Studio.nameOf(asked);
  }

  /* Who goes elsewhere before the text was looked at loses nothing of it. */
  function leave() {
    if (seen !== null && at("text").value !== seen && at("text").value.trim() && game().text !== undefined) draft.keep(game(), true);
  }

  async function look() {
    const mine = (round += 1);
    if (working) working.abort();
    if (checking) checking.abort();
    checking = new AbortController();
    const asked = game();
    if (seen !== at("text").value) at("answer-panel").hidden = true; // it is that of other rules
    seen = at("text").value;
    Studio.setFragment(Studio.wordsOf(asked));
    if (seen.trim()) Studio.setGame(asked, false);
    at("play").href = "/play#" + new URLSearchParams(Studio.wordsOf(asked));
    if (!seen.trim()) {
      at("result").replaceChildren(make("p", {class: "soft"}, "Type the rules of a game, or begin with one of the catalog."));
      at("answer-panel").hidden = at("table-panel").hidden = true;
      return;
    }
    try {
      const found = await Studio.work("/rules/check", {game: asked, seconds: LOOK}, glance("checking the rules", mine), checking.signal);
      if (mine !== round) return;
      at("progress").textContent = "";
      keep(asked, false);
      if (stated !== null && found.rule !== stated && found.rule !== asked.rule) {
        // The line "misere" was written, or taken out: the field says what the text says.
        stated = at("rule").value = found.rule;
        look();
        return;
      }
      stated = found.rule;
      finite = found.finite;
      at("rule-label").hidden = finite;
      at("table-name").textContent = finite ? "The board at the start" : "Small states";
      showCheck(found);
      family = seen;
      Studio.showConstants(found.constants || {}, look);
      at("solve").disabled = false;
      other = at("play").hidden = found.other === true;
      if (other) {
        at("table-panel").hidden = true;
        solve(asked, GLANCE, false);
      } else if (found.finite) showBoard(asked, mine);
      else {
        showTable(asked, mine);
        if (found.parts.every((part) => part.part !== "termination" || part.verdict !== "refuted")) solve(asked, GLANCE, false);
        else at("answer-panel").hidden = true;
      }
    } catch (fault) {
      if (mine !== round) return;
      at("name").textContent = "Check";
      at("progress").textContent = "";
      if (!fault.cancelled) keep(asked, true);
      Studio.showFault(at("result"), fault, goTo);
      at("solve").disabled = at("play").hidden = true;
      at("answer-panel").hidden = at("table-panel").hidden = true;
    }
  }

  function showCheck(found) {
    at("name").textContent = found.title;
    const parts = found.parts.map((part) => make("li", {class: "part " + part.verdict},
      make("span", {class: "mark", "aria-label": part.verdict}, MARKS[part.verdict] || "·"),
      make("span", {}, part.text, " ",
        ...(part.add || []).map((add) => make("button", {type: "button", onclick: () => mend(add)}, `Add ${add.condition} to ${add.action}`)),
        part.state ? make("a", {class: "button", href: "/play#" + new URLSearchParams({...Studio.wordsOf(game()), state: part.state})}, "See the state") : null)));
    at("result").replaceChildren(make("ul", {class: "parts"}, ...parts),
      ...(found.warnings || []).map((text) => make("p", {class: "note"}, "Note: " + text)));
  }

  /* What is done by itself is told only while nothing else is at work. */
  function glance(text, mine) {
    const tells = Studio.tells(at("progress"));
    return (said, time) => mine === round && !working && tells(text, time);
  }

  async function showTable(asked, mine) {
    try {
      const found = await Studio.work("/rules/table", {game: asked, seconds: LOOK}, glance("drawing the small states", mine), checking.signal);
      if (mine !== round) return;
      Studio.showDrawn(at("table"), found.svg);
      at("table-panel").hidden = false;
    } catch (fault) {
      if (mine === round) at("table-panel").hidden = true;
    } finally {
      if (mine === round && !working) at("progress").textContent = "";
    }
  }

  async function showBoard(asked, mine) {
    at("answer-panel").hidden = true;
    const found = await Studio.ask("/play/view", {game: asked});
    if (mine !== round) return;
    Board.draw(at("table"), {...found.view, moves: []}, () => {});
    at("table-panel").hidden = false;
  }

  /* Solve the game `what`, whose rules were looked at last; `wanted`: someone has asked for it. */
  async function solve(what, seconds, wanted) {
    const mine = round;
    if (working) working.abort();
    const control = (working = new AbortController());
    at("cancel").hidden = false;
    const tells = Studio.tells(at("progress"));
    const tell = (text, time) => mine === round && tells(text, time);
    tell("solving", "");
    try {
      if (finite) {
        const whole = await Studio.work("/play/explore", {game: what, seconds}, tell, control.signal);
        if (mine === round) at("answer").replaceChildren(make("p", {}, make("strong", {}, whole.outcome)), make("p", {}, whole.text), make("p", {class: "soft"}, "Play it to see what each move is worth."));
        return;
      }
      if (other) {
        const whole = await Studio.work("/rules/answer", {game: what, seconds}, tell, control.signal);
        if (mine !== round) return;
        at("answer-panel").hidden = false;
        at("answer").replaceChildren(...new DOMParser().parseFromString(whole.html, "text/html").body.childNodes);
        return;
      }
      const {told: found} = await Studio.work("/play/solve", {game: what, seconds}, tell, control.signal);
      if (mine !== round) return;
      showAnswer(found, seconds);
      if (found.status === "solved") showTable(what, mine); // with what the box alone does not tell
    } catch (fault) {
      if (mine === round) {
        at("answer-panel").hidden = fault.cancelled === true && !wanted;
        Studio.showFault(at("answer"), fault);
      }
    } finally {
      if (working === control) {
        working = null;
        at("cancel").hidden = true;
        at("progress").textContent = "";
      }
    }
  }

  function showAnswer(found, seconds) {
    at("answer-panel").hidden = false;
    if (found.status === "unknown") {
      at("answer").replaceChildren(make("p", {}, `No answer was found in ${seconds} seconds; nothing is claimed.`),
        make("details", {}, make("summary", {}, "What was tried"), make("pre", {}, found.report)));
      return;
    }
    at("answer").replaceChildren(...Studio.answerOf(found));
  }

  /* Select the character at a line and a column, counted from 1. */
  function goTo(line, column) {
    const text = at("text");
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    text.focus();
    text.setSelectionRange(start, start + 1);
  }

  /* Put a condition in front of what an action needs. */
  function mend({action, condition}) {
    const text = at("text");
    const head = new RegExp(`(\\baction\\s+${action}\\b[^]*?\\bpre\\s+)([^]*?)(\\s+eff\\b)`);
    write(text.value.replace(head, (whole, before, needs, after) =>
      before + condition + " and " + (/\bor\b|->|<->|\bexists\b|\bforall\b/.test(needs) ? `(${needs})` : needs) + after));
  }

  /* Another text, put in as if it were typed, so that undo in the editor brings the old one back. */
  function write(text) {
    at("text").focus();
    at("text").select();
    if (!document.execCommand("insertText", false, text)) at("text").value = text;
    look();
  }

  /* Read the rules of a game, and `put` them where the text is, unless that is changed meanwhile. */
  async function begin(asked, put = write) {
    const before = at("text").value;
    try {
      const {text} = asked.text === undefined ? await Studio.ask("/rules/text", {game: asked}) : asked;
      if (at("text").value !== before) return;
      leave();
      first = {text, game: asked};
      draft = new Draft(text, asked.text === undefined ? "" : Own.named(text));
      stated = Own.stated(text);
      if (asked.rule) at("rule").value = asked.rule;
      at("own-name").value = Own.isBoard(text) ? draft.name : "";
      put(text);
    } catch (fault) {
      Studio.showFault(at("result"), fault);
    }
  }

  at("text").addEventListener("input", Studio.debounced(PAUSE, () => at("text").value !== seen && look()));
  at("rule").addEventListener("change", look);
  at("game").addEventListener("change", () => {
    const name = at("game").value.trim();
    if (name && !(Studio.game && name === Studio.nameOf(Studio.game))) begin(Own.byName(name) || {name: name.toLowerCase()});
  });
  at("own-name").addEventListener("change", () => {
    draft.rename(at("own-name").value.trim());
    first = {};
    look();
  });
  at("solve").addEventListener("click", async () => {
    if (at("text").value !== seen) await look();
    if (at("text").value !== seen || at("solve").disabled) return; // typed meanwhile, or no game
    at("answer-panel").hidden = false;
    at("answer").replaceChildren();
    solve(game(), Number(at("seconds").value) || 60, true);
  });
  at("cancel").addEventListener("click", () => working && working.abort());
  Studio.onAddress(fromAddress);

  function fromAddress() {
    const asked = Studio.begun(Studio.fragment());
    if (asked.text !== undefined) Own.keep(asked);
    begin(asked, (text) => {
      at("text").value = text;
      look();
    });
  }

  addEventListener("pagehide", leave);

  fromAddress();
  Studio.listGames().catch(() => {});
});
