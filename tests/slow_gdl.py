"""A game description evaluated in plain Python: naive forward chaining, nothing shared.

It reads the text itself (no line of the package is used) and takes rules whose negated
relations do not depend on what they help to derive; enough for the files under specs/gdl.
"""

import re


def read(text):
    """The forms of a KIF text: nested lists of lower-case words."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(tuple(done))
        else:
            stack[-1].append(token.lower())
    return stack[0]


def show(term):
    return term if isinstance(term, str) else f"{term[0]}({','.join(map(show, term[1:]))})"


def unify(pattern, term, env):
    """``env`` grown so that ``pattern`` is ``term``; None where it cannot be."""
    if isinstance(pattern, str):
        if not pattern.startswith("?"):
            return env if pattern == term else None
        if pattern in env:
            return env if env[pattern] == term else None
        return {**env, pattern: term}
    if isinstance(term, str) or len(pattern) != len(term):
        return None
    for left, right in zip(pattern, term, strict=True):
        env = unify(left, right, env)
        if env is None:
            return None
    return env


def fill(pattern, env):
    if isinstance(pattern, str):
        return env.get(pattern, pattern)
    return tuple(fill(part, env) for part in pattern)


def _relation(atom):
    return atom if isinstance(atom, str) else atom[0]


class SlowGame:
    """Facts and moves are terms; a state is a frozenset of facts."""

    def __init__(self, text):
        self.rules = []
        for form in read(text):
            head, body = (form[1], form[2:]) if _relation(form) == "<=" else (form, ())
            self.rules.append((head, list(body)))
        self.layers = self._layers()
        self.static = self.derive(set())
        self.roles = [f[1] for h in self.rules if not h[1] for f in [h[0]] if f[0] == "role"]
        self.initial = frozenset(f[1] for f in self.static if _relation(f) == "init")

    def _layers(self):
        """Rules by the number of negations below their head."""
        level = {_relation(head): 0 for head, _ in self.rules}
        for _ in range(len(level) + 1):
            for head, body in self.rules:
                for part in body:
                    negated = _relation(part) == "not"
                    inner = _relation(part[1] if negated else part)
                    wanted = level.get(inner, 0) + negated
                    level[_relation(head)] = max(level[_relation(head)], wanted)
        top = max(level.values())
        return [[r for r in self.rules if level[_relation(r[0])] == k] for k in range(top + 1)]

    def derive(self, given):
        """Everything that follows from ``given``, layer by layer, rule by rule, to a fixpoint."""
        known = set(given)
        for rules in self.layers:
            grew = True
            while grew:
                grew = False
                for head, body in rules:
                    for env in self._matches(body, known):
                        fact = fill(head, env)
                        if fact not in known:
                            known.add(fact)
                            grew = True
        return known

    def _matches(self, body, known):
        late = ("not", "distinct")
        envs = [{}]
        for part in sorted(body, key=lambda part: _relation(part) in late):
            name = _relation(part)
            if name == "distinct":
                envs = [e for e in envs if fill(part[1], e) != fill(part[2], e)]
            elif name == "not":
                envs = [e for e in envs if fill(part[1], e) not in known]
            else:
                found = [f for f in known if _relation(f) == name]
                grown = (unify(part, f, e) for e in envs for f in found)
                envs = [e for e in grown if e is not None]
        return envs

    def look(self, state):
        """(ended, {role: moves}, {role: goal}) of a state."""
        known = self.derive({("true", f) for f in state})
        legal = {
            r: sorted((f[2] for f in known if f[:2] == ("legal", r)), key=show) for r in self.roles
        }
        goals = {f[1]: int(f[2]) for f in known if _relation(f) == "goal"}
        return "terminal" in known, legal, goals

    def after(self, state, moves):
        """The state after ``moves``, one a role."""
        given = {("true", f) for f in state} | {("does", r, m) for r, m in moves.items()}
        return frozenset(f[1] for f in self.derive(given) if _relation(f) == "next")
