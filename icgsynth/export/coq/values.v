(* The value of a state is the least natural number that no move leads to. *)
Inductive Value : state -> Z -> Prop :=
| least s z : 0 <= z ->
    (forall w, 0 <= w < z -> exists t, mv s t /\ Value t w) ->
    (forall t, mv s t -> exists w, w <> z /\ Value t w) -> Value s z.

Lemma one_value s : Acc (fun t s => mv s t) s -> forall y z, Value s y -> Value s z -> y = z.
Proof.
  induction 1 as [s _ later]. intros y z Y Z.
  destruct Y as [s y Py Ly Ny], Z as [s z Pz Lz Nz].
  destruct (Z.lt_trichotomy y z) as [L|[L|L]]; [|exact L|].
  - destruct (Lz y (conj Py L)) as (t & M & V). destruct (Ny t M) as (w & D & W).
    destruct (D (later t M w y W V)).
  - destruct (Ly z (conj Pz L)) as (t & M & V). destruct (Nz t M) as (w & D & W).
    destruct (D (later t M w z W V)).
Qed.

Theorem valued (legal : state -> Prop) (g : state -> Z) :
  well_founded (fun t s => mv s t) ->
  (forall s t, mv s t -> legal t) ->
  (forall s, legal s -> 0 <= g s) ->
  (forall s t, mv s t -> g t <> g s) ->
  (forall s w, legal s -> 0 <= w < g s -> exists t, mv s t /\ g t = w) ->
  forall s z, legal s -> (Value s z <-> z = g s).
Proof.
  intros ends stays low keeps reaches.
  assert (right : forall s, legal s -> Value s (g s)).
  { intros s. induction (ends s) as [s _ later]. intros K. constructor; [exact (low s K)|..].
    - intros w W. destruct (reaches s w K W) as (t & M & <-). exists t.
      split; [exact M|exact (later t M (stays s t M))].
    - intros t M. exists (g t). split; [exact (keeps s t M)|exact (later t M (stays s t M))]. }
  intros s z K. split; [|intros ->; exact (right s K)].
  intros V. exact (one_value s (ends s) z (g s) V (right s K)).
Qed.
