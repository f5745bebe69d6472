(* ---- An answer in other formulas that say the same of legal states. ---- *)

Definition both_ways (g : game) (f k : fm) : list claim :=
  [Claim (width g) [legal g; f] k; Claim (width g) [legal g; k] f].
Fixpoint alike_rules (g : game) (rs qs : list rule) : list claim := match rs, qs with
| r :: rs, q :: qs => both_ways g (when r) (when q) ++ alike_rules g rs qs
| _, _ => nil
end.
Definition alike_claims (g : game) (x y : solution) : list claim :=
  both_ways g (winning x) (winning y) ++ both_ways g (losing x) (losing y) ++
  alike_rules g (strategy x) (strategy y).
Definition act (r : rule) : nat * list tm := (play r, taken r).

Lemma alike_says g f k s : Forall holds (both_ways g f k) -> is_state (of_data g) g s ->
  (says f s <-> says k s).
Proof.
  intros H [L S]. apply Forall_cons_iff in H. destruct H as [A H]. apply Forall_cons_iff in H.
  split; intros T; [apply (used _ s A L)|apply (used _ s (proj1 H) L)]; repeat constructor; assumption.
Qed.
Lemma alike_chosen g s : is_state (of_data g) g s -> forall rs qs,
  map act rs = map act qs -> Forall holds (alike_rules g rs qs) ->
  option_map act (chosen rs s) = option_map act (chosen qs s).
Proof.
  intros S. induction rs as [|r rs IH]; intros [|q qs] E; try discriminate; [reflexivity|].
  cbn [map alike_rules chosen] in *. intros H. apply Forall_app in H. destruct H as [H R].
  assert (A := alike_says g _ _ s H S). injection E as P T E. unfold says in A.
  destruct (tested (env s) (when r)), (tested (env s) (when q)); try tauto; cbn [option_map].
  - unfold act. rewrite P, T. reflexivity.
  - exact (IH qs E R).
Qed.
Theorem alike_right g x y l : right (of_data g) g y -> whole x = whole y ->
  map act (strategy x) = map act (strategy y) -> l = alike_claims g x y -> Forall holds l ->
  right (of_data g) g x.
Proof.
  intros (some & E & D & P) W M -> C. apply Forall_app in C. destruct C as [B C].
  apply Forall_app in C. destruct C as [L R]. split; [exact some|]. split; [exact E|]. split.
  - intros s S. rewrite (alike_says g _ _ s B S), (alike_says g _ _ s L S). exact (D s S).
  - intros s S V. apply (alike_says g _ _ s B S) in V. specialize (P s S V). rewrite W.
    assert (K := alike_chosen g s S _ _ M R). revert P K.
    destruct (chosen (strategy x) s) as [r|], (chosen (strategy y) s) as [q|]; try discriminate.
    + intros P K. injection K as -> ->. exact P.
    + intros P _. exact P.
Qed.
Ltac show_alike theorem claims ways := apply theorem;
  [reflexivity|reflexivity|vm_cast_no_check (eq_refl claims)|show_claims ways].
