(* Who cannot move loses. *)
Inductive Won : state -> Prop :=
| won_by s t : mv s t -> Lost t -> Won s
with Lost : state -> Prop :=
| lost_all s : (forall t, mv s t -> Won t) -> Lost s.

(* No state from which play ends is both won and lost. *)
Lemma apart s : Acc (fun t s => mv s t) s -> Won s -> Lost s -> False.
Proof.
  induction 1 as [s _ later]. intros W L. destruct L as [s every].
  destruct W as [s t M L]. exact (later t M (every t M) L).
Qed.

(* Play ends, each state is called winning or losing, a winning one has a move to a losing one, and
   a losing one has none: then the names are right, by induction over the length of play. *)
Theorem decided (legal winning losing : state -> Prop) :
  well_founded (fun t s => mv s t) ->
  (forall s t, mv s t -> legal t) ->
  (forall s, legal s -> winning s \/ losing s) ->
  (forall s, legal s -> winning s -> exists t, mv s t /\ losing t) ->
  (forall s t, losing s -> mv s t -> losing t -> False) ->
  forall s, legal s -> (Won s <-> winning s) /\ (Lost s <-> losing s).
Proof.
  intros ends stays one win lose.
  assert (right : forall s, legal s -> (winning s -> Won s) /\ (losing s -> Lost s)).
  { intros s. induction (ends s) as [s _ later]. intros K. split.
    - intros W. destruct (win s K W) as (t & M & L).
      exact (won_by s t M (proj2 (later t M (stays s t M)) L)).
    - intros L. constructor. intros t M. destruct (one t (stays s t M)) as [W|Lt].
      + exact (proj1 (later t M (stays s t M)) W).
      + destruct (lose s t L M Lt). }
  intros s K. destruct (right s K) as [R S]. assert (N := apart s (ends s)).
  destruct (one s K); split; split; tauto.
Qed.
