(* The value of a state is the least natural number that no move leads to. *)
Inductive Value : state -> Z -> Prop :=
| least s z : 0 <= z ->
    (forall w, 0 <= w < z -> exists t, mv s t /\ Value t w) ->
    (forall t, mv s t -> exists w, w <> z /\ Value t w) -> Value s z.

(* By induction over the length of play: of two values of a state the smaller would be reached by
   a move from it, and no move keeps a value. *)
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

(* What tells the values: each state has one, no move keeps it, some move reaches each smaller. *)
Theorem valued_by (legal : state -> Prop) (graph : state -> Z -> Prop) :
  well_founded (fun t s => mv s t) ->
  (forall s t, mv s t -> legal t) ->
  (forall s, legal s -> exists z, 0 <= z /\ graph s z) ->
  (forall s t z, mv s t -> 0 <= z -> graph s z -> ~ graph t z) ->
  (forall s z w, legal s -> graph s z -> 0 <= w < z -> exists t, mv s t /\ graph t w) ->
  forall s z, legal s -> (Value s z <-> 0 <= z /\ graph s z).
Proof.
  intros ends stays has keeps reaches.
  assert (right : forall s, legal s -> forall z, 0 <= z -> graph s z -> Value s z).
  { intros s. induction (ends s) as [s _ later]. intros K z P G. constructor; [exact P|..].
    - intros w W. destruct (reaches s z w K G W) as (t & M & V). exists t.
      split; [exact M|exact (later t M (stays s t M) w (proj1 W) V)].
    - intros t M. destruct (has t (stays s t M)) as (w & W & V). exists w.
      split; [|exact (later t M (stays s t M) w W V)]. intros ->. exact (keeps s t z M P G V). }
  intros s z K. split; [|intros [P G]; exact (right s K z P G)].
  intros V. destruct (has s K) as (w & W & G).
  rewrite (one_value s (ends s) z w V (right s K w W G)). now split.
Qed.

(* The values as a function: it is not negative, no move keeps it, each smaller value is reached. *)
Theorem valued (legal : state -> Prop) (g : state -> Z) :
  well_founded (fun t s => mv s t) ->
  (forall s t, mv s t -> legal t) ->
  (forall s, legal s -> 0 <= g s) ->
  (forall s t, mv s t -> g t <> g s) ->
  (forall s w, legal s -> 0 <= w < g s -> exists t, mv s t /\ g t = w) ->
  forall s z, legal s -> (Value s z <-> z = g s).
Proof.
  intros ends stays low keeps reaches s z K.
  rewrite (valued_by legal (fun s z => z = g s) ends stays); [|..|exact K].
  - split; [now intros [_ G]|intros ->; split; [exact (low s K)|reflexivity]].
  - intros t T. exists (g t). split; [exact (low t T)|reflexivity].
  - intros t u w M _ -> E. exact (keeps t u M (eq_sym E)).
  - intros t y w T -> W. destruct (reaches t w T W) as (u & M & <-). now exists u.
Qed.
