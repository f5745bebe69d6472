(* ---- An answer in another formula that says the same of legal states and natural numbers. ---- *)

Definition alike_claims (g : game) (x y : solution) : list claim :=
  let known := [here g (legal g); Le (K 0) (X (width g))] in
  [Claim (width g + 1) (known ++ [graph x]) (graph y); Claim (width g + 1) (known ++ [graph y]) (graph x)].
Theorem alike_right g x y l : right (of_data g) g y -> l = alike_claims g x y -> Forall holds l ->
  right (of_data g) g x.
Proof.
  intros (some & E & D) -> C. split; [exact some|split; [exact E|]]. intros s z S. rewrite (D s z S).
  apply Forall_cons_iff in C. destruct C as [A C]. apply Forall_cons_iff in C. destruct C as [B _].
  assert (L : length (s ++ [z]) = (width g + 1)%nat) by (rewrite app_length, (proj1 S); reflexivity).
  assert (N : 0 <= z -> says (Le (K 0) (X (width g))) (s ++ [z])).
  { unfold says. cbn [means value]. unfold env. rewrite <- (proj1 S), app_nth2, Nat.sub_diag by lia.
    cbn. auto. }
  assert (H : says (here g (legal g)) (s ++ [z])) by (apply says_here; apply S).
  split; intros [P G]; (split; [exact P|]); [apply (used _ _ B L)|apply (used _ _ A L)];
    (constructor; [exact H|constructor; [exact (N P)|constructor; [exact G|constructor]]]).
Qed.
Ltac show_alike theorem claims ways := apply theorem; [vm_cast_no_check (eq_refl claims)|show_claims ways].
