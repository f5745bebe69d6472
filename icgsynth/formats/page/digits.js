// Digits and automata over BigInt: what formulas beyond linear arithmetic speak of.
"use strict";
// The weights of the digits from the right; the recurrence gives further ones.
function system(initial, recurrence) {
  return { weights: initial.map(BigInt), recurrence: recurrence.map(BigInt) };
}
// `text` has the next states, row by row: each is a digit in base 64, or two where states are many;
// (12)A is A twelve times.
function automaton(system, digits, states, text, accepting) {
  const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const width = states > signs.length ? 2 : 1;
  const whole = text.replace(new RegExp(`\\((\\d+)\\)(.{${width}})`, "g"), (_, often, sign) => sign.repeat(Number(often)));
  const next = Array.from({ length: whole.length / width }, (_, at) =>
    [...whole.slice(at * width, (at + 1) * width)].reduce((state, sign) => state * signs.length + signs.indexOf(sign), 0));
  const symbols = next.length / states;
  const rows = Array.from({ length: states }, (_, state) => next.slice(state * symbols, (state + 1) * symbols));
  return { system, digits, rows, accepting: new Set(accepting) };
}
function weight(system, place) {
  const { weights, recurrence } = system;
  while (weights.length <= place) {
    weights.push(recurrence.reduce((sum, factor, back) => sum + factor * weights[weights.length - 1 - back], 0n));
  }
  return weights[place];
}
// The digits of a natural number, the last one last; none for 0 and for negative numbers.
function digitsOf(system, number) {
  if (number <= 0n) return [];
  let place = 0;
  while (weight(system, place + 1) <= number) place += 1;
  const digits = [];
  for (; place >= 0; place -= 1) {
    digits.push(Number(number / weight(system, place)));
    number %= weight(system, place);
  }
  return digits;
}
function valueOf(system, digits) {
  return digits.reduce((sum, digit, at) => sum + BigInt(digit) * weight(system, digits.length - 1 - at), 0n);
}
function aligned(words, length) {
  return words.map((word) => [...Array(length - word.length).fill(0), ...word]);
}
function nimSum(system, modulus, ...numbers) {
  const words = numbers.map((number) => digitsOf(system, number));
  const length = Math.max(...words.map((word) => word.length));
  const padded = aligned(words, length);
  const sums = Array.from({ length }, (_, at) => padded.reduce((sum, word) => sum + word[at], 0) % modulus);
  return valueOf(system, sums);
}
const shift = (system, number) => valueOf(system, [...digitsOf(system, number), 0]);
const unshift = (system, number) => valueOf(system, digitsOf(system, number).slice(0, -1));
function zeros(system, number) {
  const digits = digitsOf(system, number).reverse();
  const first = digits.findIndex((digit) => digit !== 0);
  return BigInt(first < 0 ? 0 : first);
}
const lowPart = (system, number) => (number > 0n ? weight(system, Number(zeros(system, number))) : 0n);
function accepts(automaton, ...numbers) {
  if (numbers.some((number) => number < 0n)) return false;
  const words = numbers.map((number) => digitsOf(automaton.system, number));
  const length = Math.max(...words.map((word) => word.length));
  const padded = aligned(words, length);
  let state = 0;
  for (let at = 0; at < length; at += 1) {
    state = automaton.rows[state][padded.reduce((symbol, word) => symbol * automaton.digits + word[at], 0)];
  }
  return automaton.accepting.has(state);
}
// How often the numbers in added are added to the others until these are not accepted.
function times(automaton, numbers, added) {
  const accepted = (count) => accepts(automaton, ...numbers.map((number, at) => number + count * added[at]));
  if (!accepted(0n)) return 0n;
  let last = 0n, first = 1n; // accepted, and perhaps not
  while (accepted(first)) [last, first] = [first, 2n * first];
  while (first - last > 1n) {
    const middle = (last + first) / 2n;
    if (accepted(middle)) last = middle;
    else first = middle;
  }
  return first;
}
// The least numbers in place of null that the automaton accepts; null if there are none.
function complete(automaton, ...numbers) {
  const { system, digits, rows, accepting } = automaton;
  if (numbers.some((number) => number !== null && number < 0n)) return null;
  const words = numbers.map((number) => (number === null ? null : digitsOf(system, number)));
  const length = Math.max(0, ...words.map((word) => (word === null ? 0 : word.length)));
  const symbolsAt = (place) => {
    let symbols = [0];
    for (const word of words) {
      const at = word === null ? -1 : place - length + word.length;
      const choice = word === null ? [...Array(digits).keys()] : [at >= 0 ? word[at] : 0];
      symbols = symbols.flatMap((symbol) => choice.map((digit) => symbol * digits + digit));
    }
    return symbols;
  };
  const step = (states, symbols) => new Set([...states].flatMap((state) => symbols.map((symbol) => rows[state][symbol])));
  const zero = symbolsAt(-1); // a place left of all known digits
  const known = Array.from({ length }, (_, place) => symbolsAt(place));
  const prefix = [], layers = [new Set([0])], seen = new Set();
  for (;;) { // as few further places at the left as will do
    for (const symbols of known) layers.push(step(layers[layers.length - 1], symbols));
    if ([...layers[layers.length - 1]].some((state) => accepting.has(state))) break;
    layers.length = prefix.length + 1;
    const wider = step(layers[prefix.length], zero);
    const name = [...wider].sort((one, other) => one - other).join();
    if (seen.has(name)) return null;
    seen.add(name);
    prefix.push(zero);
    layers.push(wider);
  }
  const places = [...prefix, ...known];
  const alive = [new Set([...layers[layers.length - 1]].filter((state) => accepting.has(state)))];
  for (let at = places.length - 1; at >= 0; at -= 1) {
    alive.unshift(new Set([...layers[at]].filter((state) => places[at].some((symbol) => alive[0].has(rows[state][symbol])))));
  }
  let state = 0;
  const chosen = places.map((symbols, at) => {
    const symbol = symbols.find((one) => alive[at + 1].has(rows[state][one]));
    state = rows[state][symbol];
    return symbol;
  });
  const found = [];
  words.forEach((word, track) => {
    const unit = digits ** (words.length - 1 - track);
    if (word === null) found.push(valueOf(system, chosen.map((symbol) => Math.floor(symbol / unit) % digits)));
  });
  return found;
}
