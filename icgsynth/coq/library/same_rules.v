(* ---- Conditions that say the same as those of the data: what is right of these is right of them. ---- *)

Definition same (m : meaning) (g : game) : Prop :=
  (forall s, length s = width g -> (is_legal m s <-> says (legal g) s)) /\
  (forall s, length s = width g -> (is_ended m s <-> says (ending g) s)) /\
  (forall i, match nth_error (actions g) i with
   | Some a => forall l, length l = (width g + takes a)%nat -> (applies m i l <-> says (pre a) l)
   | None => True
   end).

Section Same.
Variables (m : meaning) (g : game).
Hypothesis alike : same m g.

Lemma state_same s : is_state m g s <-> is_state (of_data g) g s.
Proof. unfold is_state. destruct alike as [L _]. specialize (L s). cbn. tauto. Qed.
Lemma step_same s i p t : step m g s i p t <-> step (of_data g) g s i p t.
Proof.
  destruct alike as (L & E & P). specialize (P i). unfold step, is_state. cbn [is_legal is_ended applies of_data].
  split; intros (a & A & K & [W S] & N & C & T & [V R]); exists a; rewrite A in *;
    assert (Q : length (s ++ p) = (width g + takes a)%nat) by (rewrite app_length; congruence);
    repeat split; try assumption;
    first [apply L; assumption|apply P; assumption|intros H; apply N, E; assumption].
Qed.
Lemma mv_same s t : mv m g s t <-> mv (of_data g) g s t.
Proof.
  split; intros (i & p & H); exists i, p; apply step_same; exact H.
Qed.
End Same.
