(* ---- Equivalence goes into formulas, and play is the same by equivalent moves. ---- *)

Lemma both_and A B C D : (A <-> B) -> (C <-> D) -> (A /\ C <-> B /\ D).
Proof. tauto. Qed.
Lemma both_or A B C D : (A <-> B) -> (C <-> D) -> (A \/ C <-> B \/ D).
Proof. tauto. Qed.
Lemma both_to A B C D : (A <-> B) -> (C <-> D) -> ((A -> C) <-> (B -> D)).
Proof. tauto. Qed.
Lemma both_iff A B C D : (A <-> B) -> (C <-> D) -> ((A <-> C) <-> (B <-> D)).
Proof. tauto. Qed.
Lemma both_not A B : (A <-> B) -> (~ A <-> ~ B).
Proof. tauto. Qed.
Lemma both_exists (T : Type) (P Q : T -> Prop) :
  (forall x, P x <-> Q x) -> ((exists x, P x) <-> (exists x, Q x)).
Proof. intros E. split; intros [x H]; exists x; apply (E x), H. Qed.
Lemma both_forall (P Q : Z -> Prop) :
  (forall x, P x <-> Q x) -> ((forall x, P x) <-> (forall x, Q x)).
Proof. intros E. split; intros H x; apply (E x), H. Qed.

Lemma ends_too (state : Type) (mv mw : state -> state -> Prop) :
  (forall s t, mv s t <-> mw s t) ->
  well_founded (fun t s => mw s t) -> well_founded (fun t s => mv s t).
Proof.
  intros E W s. induction (W s) as [s _ later]. constructor. intros t M.
  apply later, E, M.
Qed.
