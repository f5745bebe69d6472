(* ---- Linear arithmetic: quotients and remainders get names before "lia" is asked. ---- *)

Lemma divided x m : 0 < m ->
  exists q r, x / m = q /\ x mod m = r /\ x = m * q + r /\ 0 <= r < m.
Proof.
  intros P. exists (x / m), (x mod m). assert (D := Z.div_mod x m).
  assert (B := Z.mod_pos_bound x m P). repeat split; lia.
Qed.
Ltac divide x m :=
  let Q := fresh in let R := fresh in let D := fresh in let M := fresh in
  destruct (divided x m eq_refl) as (Q & R & D & M & ?); rewrite ?D, ?M in *; clear D M.
Ltac arith := repeat match goal with
  | |- context [?x mod ?m] => divide x m
  | |- context [?x / ?m] => divide x m
  | H : context [?x mod ?m] |- _ => divide x m
  | H : context [?x / ?m] |- _ => divide x m
  | |- context [if ?c then _ else _] => destruct c eqn:?
  | H : context [if ?c then _ else _] |- _ => destruct c eqn:?
  end; lia.
