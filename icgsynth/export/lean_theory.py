"""What every file for Lean 4 says of winning and losing: the definitions, and what follows."""

from __future__ import annotations

__all__ = ["DECIDED", "MEANING"]

MEANING = {
    "normal": """/-! What winning and losing mean: who cannot move loses. -/

mutual
inductive Won : State → Prop
  | by_move {s t : State} : mv s t → Lost t → Won s
inductive Lost : State → Prop
  | all {s : State} : (∀ t, mv s t → Won t) → Lost s
end
""",
    "misere": """/-! What winning and losing mean: who cannot move wins. -/

mutual
inductive Won : State → Prop
  | by_end {s : State} : (∀ t, ¬ mv s t) → Won s
  | by_move {s t : State} : mv s t → Lost t → Won s
inductive Lost : State → Prop
  | all {s u : State} : mv s u → (∀ t, mv s t → Won t) → Lost s
end
""",
}

_APART = """theorem apart (s : State) : Won s → Lost s → False := by
  refine ends.induction (C := fun s => Won s → Lost s → False) s ?_
  intro s ih w l
  cases w with"""
_SOUND = """
theorem sound (s : State) : legal s → (winning s → Won s) ∧ (losing s → Lost s) := by
  refine ends.induction
    (C := fun s => legal s → (winning s → Won s) ∧ (losing s → Lost s)) s ?_
  intro s ih L
  constructor
  · intro W"""
_THEN_WON = """    refine Lost.all {moves}(fun t M => ?_)
    cases either t (arrives M) with
    | inl W => exact (ih t M (arrives M)).1 W
    | inr B => exact (keeps s t M A B).elim
"""
_SOLVED = """
theorem solved (s : State) (L : legal s) : (Won s ↔ winning s) ∧ (Lost s ↔ losing s) := by
  have H := sound s L
  refine ⟨⟨fun w => ?_, H.1⟩, ⟨fun l => ?_, H.2⟩⟩
  · cases either s L with
    | inl W => exact W
    | inr B => exact (apart s w (H.2 B)).elim
  · cases either s L with
    | inl W => exact (apart s (H.1 W) l).elim
    | inr B => exact B
"""

DECIDED = {
    "normal": f"""{_APART}
  | by_move M B =>
    cases l with
    | all A => exact ih _ M (A _ M) B
{_SOUND}
    obtain ⟨m, t, _, M, B⟩ := plays s L W
    exact Won.by_move ⟨m, M⟩ ((ih t ⟨m, M⟩ (arrives ⟨m, M⟩)).2 B)
  · intro A
{_THEN_WON.format(moves="")}{_SOLVED}""",
    "misere": f"""{_APART}
  | by_end N =>
    cases l with
    | all U _ => exact N _ U
  | by_move M B =>
    cases l with
    | all _ A => exact ih _ M (A _ M) B
{_SOUND}
    rcases plays s L W with ⟨m, t, _, M, B⟩ | ⟨_, N⟩
    · exact Won.by_move ⟨m, M⟩ ((ih t ⟨m, M⟩ (arrives ⟨m, M⟩)).2 B)
    · exact Won.by_end N
  · intro A
    obtain ⟨u, U⟩ := moves s L A
{_THEN_WON.format(moves="U ")}{_SOLVED}""",
}
"""From ``ends``, ``plays``, ``keeps``, ``either`` and ``arrives`` (misère also ``moves``) to
``solved``: both formulas are right."""
