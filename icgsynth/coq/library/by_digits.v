(* ---- Claims that automata decide: what they say of numbers side by side is computed. ---- *)

Definition layers : nat := 4000.
Fixpoint told (l : list Z) (us : list use) : Prop :=
  match us with nil => True | u :: us => told_one l u /\ told l us end.
Lemma all_told l us : forallb right_use us = true -> told l us.
Proof.
  induction us as [|u us IH]; cbn; [trivial|]. intros R. apply andb_prop in R.
  split; [apply told_right; apply R|apply IH; apply R].
Qed.
(* From what is known and the negation of what is shown, "f" holds of the values of the terms; but it
   holds of no natural numbers. *)
Definition carries (ts : list tm) (f : Digits.form) (l : list Z) : Prop :=
  Digits.natural (values ts l) /\ Digits.holds System Parts f (values ts l).
Lemma by_automata core ts f us c :
  Digits.empty System Parts layers (length ts) f = true -> forallb right_use us = true ->
  every (over c) (fun l => told l us -> given l (denied core c) -> carries ts f l) -> holds c.
Proof.
  intros E U A. apply (by_contradiction core). intros l L G.
  destruct (every_right _ _ A l L (all_told l us U) G) as [N H].
  exact (Digits.empty_ok System System_right Parts Parts_right layers _ f E _ (map_length _ _) N H).
Qed.
Fixpoint answered (l : list Z) (os : list offer) : Prop := match os with
| nil => False
| o :: os => (exists y, length y = guessed o /\ Forall (Z.le 0) y /\ says (met o) (l ++ y)) \/
    answered l os
end.
Lemma answered_right l os : answered l os ->
  Exists (fun o => exists y, length y = guessed o /\ Forall (Z.le 0) y /\ says (met o) (l ++ y)) os.
Proof. induction os as [|o os IH]; [intros []|intros [H|H]; [left; exact H|right; exact (IH H)]]. Qed.
(* Where the condition of a try holds "f" does, and then one of the options of the automata has an
   answer: that is an offer. *)
Lemma by_total g more t cuts ts f us pad ws :
  Digits.total System Parts layers (length ts) pad f ws = true -> forallb right_use us = true ->
  Forall holds (map (Claim (width g + more) [here g (legal g); whence t]) cuts) ->
  every (width g + more) (fun l => told l us -> given l (here g (legal g) :: whence t :: cuts) ->
    carries ts f l) ->
  every (width g + more) (fun l => Digits.some System Parts (values ts l) ws -> answered l (offers t)) ->
  offered g more t.
Proof.
  intros E U C A O l L S W. assert (F : given l (here g (legal g) :: whence t :: cuts)).
  { split; [exact S|]. split; [exact W|]. revert C. clear - L S W.
    induction cuts as [|c cs IH]; intros F; [exact I|]. apply Forall_cons_iff in F. destruct F as [H F].
    split; [apply (used _ l H L); repeat constructor; assumption|exact (IH F)]. }
  destruct (every_right _ _ A l L (all_told l us U) F) as [N H]. apply answered_right.
  apply (every_right _ _ O l L).
  exact (Digits.total_ok System System_right Parts Parts_right layers _ pad f ws E _ (map_length _ _) N H).
Qed.

(* How a try is shown: formulas first that follow from its condition, and how; then as above. *)
Definition try_proof : Type :=
  list fm * list way * list tm * Digits.form * list use * nat * list Digits.way.

Ltac in_claim := cbv beta iota zeta delta
  [over supposed shown every pick map nth follows says means value test env each first seq app
   denied given told told_one values carries computed here fsubs tsubs esubs names width legal whence Nat.add met guessed
   Z.of_nat Pos.of_succ_nat Pos.succ].
Ltac in_digits := cbv beta iota zeta delta
  [Digits.holds Digits.means Digits.the Parts nth fst snd Digits.pick map Digits.dot app
   Digits.given Digits.uses Digits.guesses Digits.auto Digits.machine reads].
Lemma not_refused b : ~ b <> true -> b = true.
Proof. destruct b; [trivial|]. intros H. destruct H. discriminate. Qed.
Lemma not_either (A B : Prop) : ~ (A \/ B) -> ~ A /\ ~ B.
Proof. tauto. Qed.
Ltac taken_apart := repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : ~ _ <> true |- _ => apply not_refused in H
  | H : ~ (_ \/ _) |- _ => apply not_either in H
  | H : True |- _ => clear H
  end.
(* Functions are of natural numbers: most arguments are. *)
Ltac unread := repeat match goal with
  | R : reads _ _ = _ |- _ => clear R
  | R : ~ reads _ _ = _ |- _ => clear R
  end.
Ltac natural_arguments := repeat match goal with
  | H : reads _ ?l = _ |- _ => match l with context [Z.max 0 ?x] =>
      is_var x; rewrite (Z.max_r 0 x) in H by (unread; arith) end
  end.
(* The same numbers, written otherwise. *)
Ltac same_numbers := repeat (apply f_equal2; [first [reflexivity|unread; arith]|]); reflexivity.
Ltac read_of := match goal with
  | H : reads ?r _ = true |- reads ?r _ = true => solve [refine (eq_trans (f_equal (reads r) _) H); same_numbers]
  | H : ~ reads ?r ?k = true |- ~ reads ?r ?l = true =>
      solve [replace l with k by same_numbers; exact H]
  end.
Ltac conditions := repeat match goal with
  | |- _ /\ _ => split
  | Z : reads ?r ?l = (_ =? _) |- context [Digits.recognised _ (machine ?r) ?l] =>
      change (Digits.recognised System (machine r) l) with (reads r l); rewrite Z
  | |- Digits.recognised _ (machine ?r) ?l = true => change (reads r l = true); read_of
  | |- ~ Digits.recognised _ (machine ?r) ?l = true => change (~ reads r l = true); read_of
  end; unread; arith.
Ltac carried_over := in_claim; intros; taken_apart;
  split; [repeat constructor; unread; arith|natural_arguments; in_digits; conditions].
(* What is true whatever the readers accept. *)
Ltac by_lia core ::= refine (from_core core _ _); in_numbers; intros;
  repeat match goal with
  | |- context [reads ?r ?l] => destruct (reads r l)
  | H : context [reads ?r ?l] |- _ => destruct (reads r l)
  end;
  repeat match goal with
  | H : true = true |- _ => clear H
  | H : false = true |- _ => discriminate H
  end;
  first [arith|intuition (first [discriminate|arith])].
Ltac by_reading core proof ::= lazymatch proof with (?ts, ?f, ?us) =>
  refine (by_automata core ts f us _ _ _ _);
  [vm_cast_no_check (eq_refl true)|vm_cast_no_check (eq_refl true)|carried_over] end.
Ltac answer_taken H := let Y := fresh in let E := fresh in let N := fresh in let R := fresh in
  destruct H as (Y & E & N & R); exists Y; split; [exact E|split; [exact N|]]; clear N;
  repeat (destruct Y as [|? Y]; [try discriminate E|try discriminate E]);
  cbv beta iota zeta delta [Digits.guesses] in E; clear E; revert R;
  cbv beta iota zeta delta
    [Digits.auto Digits.machine Digits.the Parts Digits.pick Digits.given Digits.uses nth fst snd map app
     says means met value env each reads]; exact (fun R => R).
Ltac answers_taken H := lazymatch type of H with
  | _ \/ _ => destruct H as [H|H]; [left; answer_taken H|right; answers_taken H]
  | _ => left; answer_taken H
  end.
Ltac show_try proof ::= lazymatch proof with (?cuts, ?shown_by, ?ts, ?f, ?us, ?pad, ?ws) =>
  refine (by_total _ _ _ cuts ts f us pad ws _ _ _ _ _);
  [vm_cast_no_check (eq_refl true)|vm_cast_no_check (eq_refl true)|show_claims shown_by|carried_over
  |in_claim; cbv beta iota zeta delta [Digits.some Digits.offers answered offers]; intros;
   lazymatch goal with H : _ |- _ => answers_taken H end]
  end.
