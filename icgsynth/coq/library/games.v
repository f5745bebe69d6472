(* ---- Games and answers as data. ---- *)

(* An action takes so many numbers. Its condition and its effects, one for each variable, are
   about the numbers of the state and, after them, the numbers that it takes. *)
Record action := { takes : nat; pre : fm; effects : list tm }.
Record game := { width : nat; legal : fm; ending : fm; actions : list action }.
(* A rule of a strategy: where its condition holds, play the action at this place with these
   numbers. *)
Record rule := { when : fm; play : nat; taken : list tm }.

Definition state := list Z.
Definition says (f : fm) (l : list Z) : Prop := means (env l) f.
Definition values (ts : list tm) (l : list Z) : list Z := map (value (env l)) ts.
(* What the conditions of a game say: of a state, and of a state and the numbers that the action at
   a place takes. Mostly they are those of the data; rules with quantifiers say their own. *)
Record meaning := {
  is_legal : state -> Prop; is_ended : state -> Prop; applies : nat -> list Z -> Prop }.
Definition of_data (g : game) : meaning := {|
  is_legal := says (legal g); is_ended := says (ending g);
  applies i l := match nth_error (actions g) i with Some a => says (pre a) l | None => False end |}.
Definition is_state (m : meaning) (g : game) (s : state) : Prop :=
  length s = width g /\ is_legal m s.
(* The action at place i takes the numbers p in the state s, and leads to t. *)
Definition step (m : meaning) (g : game) (s : state) (i : nat) (p : list Z) (t : state) : Prop :=
  exists a, nth_error (actions g) i = Some a /\ length p = takes a /\ is_state m g s /\
    ~ is_ended m s /\ applies m i (s ++ p) /\ t = values (effects a) (s ++ p) /\ is_state m g t.
Definition mv (m : meaning) (g : game) (s t : state) : Prop := exists i p, step m g s i p t.
(* The first rule whose condition holds of these numbers. *)
Fixpoint chosen (rs : list rule) (l : list Z) : option rule := match rs with
| nil => None
| r :: rs => if test (env l) (when r) then Some r else chosen rs l
end.
