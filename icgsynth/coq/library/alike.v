(* ---- Whether two terms or formulas are the same. ---- *)

Fixpoint tm_same (s t : tm) : bool := match s, t with
| K x, K y => x =? y
| X i, X j => Nat.eqb i j
| Plus a b, Plus c d | Minus a b, Minus c d | Times a b, Times c d | Quot a b, Quot c d
| Rest a b, Rest c d | Least a b, Least c d | Most a b, Most c d => tm_same a c && tm_same b d
| Opp a, Opp b | Size a, Size b => tm_same a b
| Cond f a b, Cond g c d => fm_same f g && tm_same a c && tm_same b d
| _, _ => false
end
with fm_same (f g : fm) : bool := match f, g with
| Yes, Yes | No, No => true
| Eq a b, Eq c d | Ne a b, Ne c d | Lt a b, Lt c d | Le a b, Le c d | Gt a b, Gt c d
| Ge a b, Ge c d => tm_same a c && tm_same b d
| And f g, And h k | Or f g, Or h k | Imp f g, Imp h k | Iff f g, Iff h k =>
    fm_same f h && fm_same g k
| Not f, Not g => fm_same f g
| _, _ => false
end.

(* What the tests call the same is equal; they need not find all that is equal. *)
Lemma same_right :
  (forall s t, tm_same s t = true -> s = t) /\ (forall f g, fm_same f g = true -> f = g).
Proof.
  cut ((forall s t, tm_same s t = true -> s = t) /\ (forall f g, fm_same f g = true -> f = g) /\
    forall ts : tms, True); [tauto|].
  apply all_both; intros; try exact I;
    match goal with H : _ = true |- _ = ?x => destruct x; cbn in H; try discriminate end;
    repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end;
    f_equal; auto using Nat.eqb_eq; try (apply Z.eqb_eq; assumption); apply Nat.eqb_eq; assumption.
Qed.
