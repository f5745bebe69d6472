(* What is stated of a game and an answer. There are legal states; play ends; the formulas say who
   wins and who loses; the strategy moves from each winning state to a lost one, or, where it is
   not whole and no rule of it applies, there is such a move. *)
Definition right (m : meaning) (g : game) (x : solution) : Prop :=
  (exists s, is_state m g s) /\
  well_founded (fun t s => mv m g s t) /\
  (forall s, is_state m g s ->
    (Won state (mv m g) s <-> says (winning x) s) /\ (Lost state (mv m g) s <-> says (losing x) s)) /\
  (forall s, is_state m g s -> says (winning x) s -> match chosen (strategy x) s with
   | Some r => exists t, step m g s (play r) (values (taken r) s) t /\ Lost state (mv m g) t
   | None => whole x = false /\ exists t, mv m g s t /\ Lost state (mv m g) t
   end).

Definition claims (g : game) (x : solution) (h : hints) : list claim := play_claims g x h nil.
Theorem right_by g x h l : sized g (strategy x) h && agreed x h = true ->
  l = claims g x h -> Forall holds l -> Forall (offered g 0) (sought h) -> right (of_data g) g x.
Proof.
  intros S -> C O. apply andb_prop in S. destruct S as [S A].
  assert (E := ends g h (proj1 (proj2 (claims_all g x h nil C)))). assert (P := plays g x h nil S A C O).
  assert (D : forall s, is_state (of_data g) g s ->
    (Won state (mv (of_data g) g) s <-> says (winning x) s) /\ (Lost state (mv (of_data g) g) s <-> says (losing x) s)).
  { apply (decided state (mv (of_data g) g) _ _ _ E); [exact (stays g)|exact (one g x h nil C)| |exact (no_loss g x h nil C)].
    intros s L W. assert (H := P s L W). destruct (chosen (strategy x) s) as [r|].
    - destruct H as (t & M & B). exists t. split; [do 2 eexists; exact M|exact B].
    - exact (proj2 (H (Forall_nil _))). }
  split; [exact (some_state g (strategy x) h S)|split; [exact E|split; [exact D|]]].
  intros s L W. assert (H := P s L W). destruct (chosen (strategy x) s) as [r|].
  - destruct H as (t & M & B). exists t. split; [exact M|].
    apply D; [apply (stays g s); do 2 eexists; exact M|exact B].
  - destruct (H (Forall_nil _)) as (N & t & M & B). split; [exact N|]. exists t. split; [exact M|].
    apply D; [exact (stays g s t M)|exact B].
Qed.
