-- UNCHECKED: this file was written without Lean, and its proofs may fail.

/- Nim on two piles, misère play.  The rules:

   game nim2 "Nim on two piles"
   cite bouton1901, wu2020aamas
   var a, b
   legal a >= 0 and b >= 0
   action take_a(k)
     pre 1 <= k <= a
     eff a := a - k
   action take_b(k)
     pre 1 <= k <= b
     eff b := b - k
-/

namespace Answer

/-! The game, from its rules. -/

structure State where
  a b : Int

inductive Move where
  | take_a (k : Int)
  | take_b (k : Int)

def legal : State → Prop
  | ⟨a, b⟩ => a ≥ 0 ∧ b ≥ 0

def ending : State → Prop
  | ⟨a, b⟩ => False

def pre : State → Move → Prop
  | ⟨a, b⟩, .take_a k => 1 ≤ k ∧ k ≤ a
  | ⟨a, b⟩, .take_b k => 1 ≤ k ∧ k ≤ b

def after : State → Move → State
  | ⟨a, b⟩, .take_a k => ⟨a - k, b⟩
  | ⟨a, b⟩, .take_b k => ⟨a, b - k⟩

/-- The move `m` applies in `s` and leads to `t`. -/
abbrev step (s : State) (m : Move) (t : State) : Prop :=
  legal s ∧ ¬ ending s ∧ pre s m ∧ t = after s m ∧ legal t

abbrev mv (s t : State) : Prop := ∃ m, step s m t

/-! What winning and losing mean: who cannot move wins. -/

mutual
inductive Won : State → Prop
  | by_end {s : State} : (∀ t, ¬ mv s t) → Won s
  | by_move {s t : State} : mv s t → Lost t → Won s
inductive Lost : State → Prop
  | all {s u : State} : mv s u → (∀ t, mv s t → Won t) → Lost s
end

/-! The answer. -/

def winning : State → Prop
  | ⟨a, b⟩ =>
      a + b ≠ 1 ∧ (a ≠ b ∨ a ≤ 1)

def losing : State → Prop
  | ⟨a, b⟩ =>
      a + b = 1 ∨ (a = b ∧ a > 1)

def strategy : State → Option Move
  | ⟨a, b⟩ =>
      if a ≤ 1 ∧ b > 1 then some (.take_b (a + b - 1)) else
      if a > 1 ∧ a < b then some (.take_b (b - a)) else
      if b ≤ 1 ∧ a + b > 1 then some (.take_a (a + b - 1)) else
      if b > 1 ∧ a > b then some (.take_a (a - b)) else
      none

def rank1 : State → Nat
  | ⟨a, b⟩ => (a + b + 1).toNat

/-- Unfold the definitions; the rest is linear arithmetic. -/
macro "arith" : tactic => `(tactic|
  (intros; repeat' apply And.intro
   all_goals (try simp only
     [legal, ending, pre, after, winning, losing, rank1, not_false_eq_true] at *)
   all_goals (try omega)
   all_goals (try (split at * <;> omega))))

theorem not_empty : legal ⟨0, 0⟩ := by
  arith

/-! What has to hold, in linear arithmetic. -/

theorem one (a b : Int) :
    legal ⟨a, b⟩ →
    winning ⟨a, b⟩ ∨ losing ⟨a, b⟩ := by
  arith

theorem fall_take_a (a b k : Int) :
    legal ⟨a, b⟩ →
    ¬ ending ⟨a, b⟩ →
    pre ⟨a, b⟩ (.take_a k) →
    legal (after ⟨a, b⟩ (.take_a k)) →
    rank1 (after ⟨a, b⟩ (.take_a k)) < rank1 ⟨a, b⟩ := by
  arith

theorem lose_take_a (a b k : Int) :
    legal ⟨a, b⟩ →
    ¬ ending ⟨a, b⟩ →
    pre ⟨a, b⟩ (.take_a k) →
    legal (after ⟨a, b⟩ (.take_a k)) →
    losing ⟨a, b⟩ →
    losing (after ⟨a, b⟩ (.take_a k)) →
    False := by
  arith

theorem cover_take_a (a b k : Int) :
    legal ⟨a, b⟩ →
    ¬ ending ⟨a, b⟩ →
    pre ⟨a, b⟩ (.take_a k) →
    legal (after ⟨a, b⟩ (.take_a k)) →
    ¬ (a ≤ 1 ∧ b > 1) →
    ¬ (a > 1 ∧ a < b) →
    ¬ (b ≤ 1 ∧ a + b > 1) →
    ¬ (b > 1 ∧ a > b) →
    winning ⟨a, b⟩ →
    False := by
  arith

theorem fall_take_b (a b k : Int) :
    legal ⟨a, b⟩ →
    ¬ ending ⟨a, b⟩ →
    pre ⟨a, b⟩ (.take_b k) →
    legal (after ⟨a, b⟩ (.take_b k)) →
    rank1 (after ⟨a, b⟩ (.take_b k)) < rank1 ⟨a, b⟩ := by
  arith

theorem lose_take_b (a b k : Int) :
    legal ⟨a, b⟩ →
    ¬ ending ⟨a, b⟩ →
    pre ⟨a, b⟩ (.take_b k) →
    legal (after ⟨a, b⟩ (.take_b k)) →
    losing ⟨a, b⟩ →
    losing (after ⟨a, b⟩ (.take_b k)) →
    False := by
  arith

theorem cover_take_b (a b k : Int) :
    legal ⟨a, b⟩ →
    ¬ ending ⟨a, b⟩ →
    pre ⟨a, b⟩ (.take_b k) →
    legal (after ⟨a, b⟩ (.take_b k)) →
    ¬ (a ≤ 1 ∧ b > 1) →
    ¬ (a > 1 ∧ a < b) →
    ¬ (b ≤ 1 ∧ a + b > 1) →
    ¬ (b > 1 ∧ a > b) →
    winning ⟨a, b⟩ →
    False := by
  arith

theorem win_1 (a b : Int) :
    legal ⟨a, b⟩ →
    a ≤ 1 ∧ b > 1 →
    ¬ ending ⟨a, b⟩ ∧
    pre ⟨a, b⟩ (.take_b (a + b - 1)) ∧
    legal (after ⟨a, b⟩ (.take_b (a + b - 1))) ∧
    losing (after ⟨a, b⟩ (.take_b (a + b - 1))) := by
  arith

theorem win_2 (a b : Int) :
    legal ⟨a, b⟩ →
    ¬ (a ≤ 1 ∧ b > 1) →
    a > 1 ∧ a < b →
    ¬ ending ⟨a, b⟩ ∧
    pre ⟨a, b⟩ (.take_b (b - a)) ∧
    legal (after ⟨a, b⟩ (.take_b (b - a))) ∧
    losing (after ⟨a, b⟩ (.take_b (b - a))) := by
  arith

theorem win_3 (a b : Int) :
    legal ⟨a, b⟩ →
    ¬ (a ≤ 1 ∧ b > 1) →
    ¬ (a > 1 ∧ a < b) →
    b ≤ 1 ∧ a + b > 1 →
    ¬ ending ⟨a, b⟩ ∧
    pre ⟨a, b⟩ (.take_a (a + b - 1)) ∧
    legal (after ⟨a, b⟩ (.take_a (a + b - 1))) ∧
    losing (after ⟨a, b⟩ (.take_a (a + b - 1))) := by
  arith

theorem win_4 (a b : Int) :
    legal ⟨a, b⟩ →
    ¬ (a ≤ 1 ∧ b > 1) →
    ¬ (a > 1 ∧ a < b) →
    ¬ (b ≤ 1 ∧ a + b > 1) →
    b > 1 ∧ a > b →
    ¬ ending ⟨a, b⟩ ∧
    pre ⟨a, b⟩ (.take_a (a - b)) ∧
    legal (after ⟨a, b⟩ (.take_a (a - b))) ∧
    losing (after ⟨a, b⟩ (.take_a (a - b))) := by
  arith

theorem ready (a b : Int) :
    legal ⟨a, b⟩ →
    losing ⟨a, b⟩ →
    (¬ ending ⟨a, b⟩ ∧ pre ⟨a, b⟩ (.take_a (1 : Int)) ∧ legal (after ⟨a, b⟩ (.take_a (1 : Int)))) ∨
    (¬ ending ⟨a, b⟩ ∧ pre ⟨a, b⟩ (.take_b (1 : Int)) ∧ legal (after ⟨a, b⟩ (.take_b (1 : Int)))) := by
  arith

/-! Play ends. -/

theorem fall (s t : State) (M : mv s t) :
    rank1 t < rank1 s := by
  obtain ⟨m, L, E, P, T, L'⟩ := M
  subst T
  cases s; cases m
  · exact fall_take_a _ _ _ L E P L'
  · exact fall_take_b _ _ _ L E P L'

theorem ends_from : ∀ (n1 : Nat) (s : State), rank1 s = n1 →
    Acc (fun t s => mv s t) s := by
  intro n1
  induction n1 using Nat.strongRecOn with
  | ind n1 ih1 =>
    intro s e1
    refine Acc.intro s (fun t M => ?_)
    have F := fall s t M
    exact ih1 (rank1 t) (by omega) t rfl

theorem ends : WellFounded (fun t s => mv s t) :=
  ⟨fun s => ends_from _ s rfl⟩

/-! The strategy moves to a state of the losing formula. -/

theorem arrives {s t : State} (M : mv s t) : legal t := by
  obtain ⟨m, _, _, _, _, L'⟩ := M
  exact L'

theorem keeps (s t : State) (M : mv s t) (A : losing s) (B : losing t) : False := by
  obtain ⟨m, L, E, P, T, L'⟩ := M
  subst T
  cases s; cases m
  · exact lose_take_a _ _ _ L E P L' A B
  · exact lose_take_b _ _ _ L E P L' A B

theorem plays (s : State) (L : legal s) (W : winning s) :
    (∃ m t, strategy s = some m ∧ step s m t ∧ losing t) ∨
    (strategy s = none ∧ ∀ t, ¬ mv s t) := by
  obtain ⟨a, b⟩ := s
  by_cases h1 : a ≤ 1 ∧ b > 1
  · obtain ⟨E, P, L', B⟩ := win_1 a b L h1
    exact Or.inl ⟨(.take_b (a + b - 1)), after ⟨a, b⟩ (.take_b (a + b - 1)),
      by simp only [strategy, if_pos h1],
      ⟨L, E, P, rfl, L'⟩, B⟩
  by_cases h2 : a > 1 ∧ a < b
  · obtain ⟨E, P, L', B⟩ := win_2 a b L h1 h2
    exact Or.inl ⟨(.take_b (b - a)), after ⟨a, b⟩ (.take_b (b - a)),
      by simp only [strategy, if_neg h1, if_pos h2],
      ⟨L, E, P, rfl, L'⟩, B⟩
  by_cases h3 : b ≤ 1 ∧ a + b > 1
  · obtain ⟨E, P, L', B⟩ := win_3 a b L h1 h2 h3
    exact Or.inl ⟨(.take_a (a + b - 1)), after ⟨a, b⟩ (.take_a (a + b - 1)),
      by simp only [strategy, if_neg h1, if_neg h2, if_pos h3],
      ⟨L, E, P, rfl, L'⟩, B⟩
  by_cases h4 : b > 1 ∧ a > b
  · obtain ⟨E, P, L', B⟩ := win_4 a b L h1 h2 h3 h4
    exact Or.inl ⟨(.take_a (a - b)), after ⟨a, b⟩ (.take_a (a - b)),
      by simp only [strategy, if_neg h1, if_neg h2, if_neg h3, if_pos h4],
      ⟨L, E, P, rfl, L'⟩, B⟩
  refine Or.inr ⟨by simp only [strategy, if_neg h1, if_neg h2, if_neg h3, if_neg h4], fun t M => ?_⟩
  obtain ⟨m, L, E, P, T, L'⟩ := M
  subst T
  cases m
  · exact cover_take_a _ _ _ L E P L' h1 h2 h3 h4 W
  · exact cover_take_b _ _ _ L E P L' h1 h2 h3 h4 W

theorem moves (s : State) (L : legal s) (A : losing s) : ∃ t, mv s t := by
  obtain ⟨a, b⟩ := s
  rcases ready a b L A with ⟨E, P, L'⟩ | ⟨E, P, L'⟩
  · exact ⟨after ⟨a, b⟩ (.take_a (1 : Int)), (.take_a (1 : Int)), L, E, P, rfl, L'⟩
  · exact ⟨after ⟨a, b⟩ (.take_b (1 : Int)), (.take_b (1 : Int)), L, E, P, rfl, L'⟩

/-! The theorem. -/

theorem either (s : State) (L : legal s) : winning s ∨ losing s := by
  obtain ⟨a, b⟩ := s
  exact one a b L

theorem apart (s : State) : Won s → Lost s → False := by
  refine ends.induction (C := fun s => Won s → Lost s → False) s ?_
  intro s ih w l
  cases w with
  | by_end N =>
    cases l with
    | all U _ => exact N _ U
  | by_move M B =>
    cases l with
    | all _ A => exact ih _ M (A _ M) B

theorem sound (s : State) : legal s → (winning s → Won s) ∧ (losing s → Lost s) := by
  refine ends.induction
    (C := fun s => legal s → (winning s → Won s) ∧ (losing s → Lost s)) s ?_
  intro s ih L
  constructor
  · intro W
    rcases plays s L W with ⟨m, t, _, M, B⟩ | ⟨_, N⟩
    · exact Won.by_move ⟨m, M⟩ ((ih t ⟨m, M⟩ (arrives ⟨m, M⟩)).2 B)
    · exact Won.by_end N
  · intro A
    obtain ⟨u, U⟩ := moves s L A
    refine Lost.all U (fun t M => ?_)
    cases either t (arrives M) with
    | inl W => exact (ih t M (arrives M)).1 W
    | inr B => exact (keeps s t M A B).elim

theorem solved (s : State) (L : legal s) : (Won s ↔ winning s) ∧ (Lost s ↔ losing s) := by
  have H := sound s L
  refine ⟨⟨fun w => ?_, H.1⟩, ⟨fun l => ?_, H.2⟩⟩
  · cases either s L with
    | inl W => exact W
    | inr B => exact (apart s w (H.2 B)).elim
  · cases either s L with
    | inl W => exact (apart s (H.1 W) l).elim
    | inr B => exact B

/-- Play ends; the formulas are right; the strategy moves to a lost state. -/
theorem answer :
    WellFounded (fun t s => mv s t) ∧
    (∀ s, legal s → (Won s ↔ winning s) ∧ (Lost s ↔ losing s)) ∧
    (∀ s, legal s → winning s → match strategy s with
      | some m => ∃ t, step s m t ∧ Lost t
      | none => ∀ t, ¬ mv s t) := by
  refine ⟨ends, solved, ?_⟩
  intro s L W
  rcases plays s L W with ⟨m, t, S, M, B⟩ | ⟨S, N⟩
  · rw [S]
    exact ⟨t, M, (solved t (arrives ⟨m, M⟩)).2.2 B⟩
  · rw [S]
    exact N

#print axioms answer

end Answer
