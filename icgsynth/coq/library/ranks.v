(* Tuples of measures, each with a lower bound: in the order of a dictionary they do not
   decrease for ever. *)
Fixpoint drops (l : list ((state -> Z) * Z)) (t s : state) : Prop := match l with
| nil => False
| (r, bound) :: l => (bound <= r s /\ r t < r s) \/ (r t = r s /\ drops l t s)
end.

(* By induction over the list: the first measure may decrease only finitely often, and between two
   decreases the others make up a shorter list. *)
Lemma drops_ends l : well_founded (drops l).
Proof.
  induction l as [|[r bound] l IH]; [constructor; intros t []|].
  assert (H : forall z s, r s = z -> Acc (drops ((r, bound) :: l)) s).
  { intros z. induction z as [z below] using (well_founded_ind (Zwf_well_founded bound)).
    intros s. induction s as [s later] using (well_founded_ind IH). intros E.
    constructor. intros t [[B D]|[Same D]].
    - apply (below (r t)); [unfold Zwf; lia|reflexivity].
    - apply (later t D). congruence. }
  intros s. exact (H _ s eq_refl).
Qed.

(* Play ends where every move makes the measures drop. *)
Theorem ends_by l : (forall s t, mv s t -> drops l t s) -> well_founded (fun t s => mv s t).
Proof.
  intros D s. induction (drops_ends l s) as [s _ IH]. constructor. intros t M.
  exact (IH t (D s t M)).
Qed.
