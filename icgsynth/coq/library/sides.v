(* ---- Who wins and who loses, by formulas. ---- *)

Record solution := { winning : fm; losing : fm; strategy : list rule }.

(* What normal and misere play share: "last" is what else is known where no rule applies. *)
Definition play_claims (g : game) (x : solution) (h : hints) (last : list fm) : list claim :=
  Claim (width g) [legal g] (Or (winning x) (losing x)) ::
  rank_claims g h ++
  move_claims g (fun after => [here g (losing x); fsubs after (losing x)]) (fun _ => No) ++
  rule_claims g 0 (fun after => fsubs after (losing x)) (winning x :: last) [legal g] (strategy x).

Section Sides.
Variables (g : game) (x : solution) (h : hints) (last : list fm).
Hypothesis sizes : sized g (strategy x) h = true.
Hypothesis claims : Forall holds (play_claims g x h last).

Lemma claims_all : holds (Claim (width g) [legal g] (Or (winning x) (losing x))) /\
  Forall holds (rank_claims g h) /\
  Forall holds
    (move_claims g (fun after => [here g (losing x); fsubs after (losing x)]) (fun _ => No)) /\
  Forall holds (rule_claims g 0 (fun after => fsubs after (losing x)) (winning x :: last)
    [legal g] (strategy x)).
Proof.
  assert (C := claims). unfold play_claims in C. apply Forall_cons_iff in C. destruct C as [O C].
  apply Forall_app in C. destruct C as [F C]. apply Forall_app in C. tauto.
Qed.
Lemma one s : is_state (of_data g) g s -> says (winning x) s \/ says (losing x) s.
Proof. intros [L S]. apply (used _ s (proj1 claims_all) L). repeat constructor. exact S. Qed.
Lemma no_loss s t : says (losing x) s -> mv (of_data g) g s t -> says (losing x) t -> False.
Proof.
  intros B M D. destruct (moves_show _ _ _ s t (proj1 (proj2 (proj2 claims_all))) M)
    as (a & p & W & -> & F).
  apply F. repeat constructor; [apply says_here; assumption|apply says_subs; exact D].
Qed.
Lemma plays s : is_state (of_data g) g s -> says (winning x) s -> match chosen (strategy x) s with
  | Some r => exists t, step (of_data g) g s (play r) (values (taken r) s) t /\ says (losing x) t
  | None => Forall (fun f => says f s) last -> False
  end.
Proof.
  intros S V.
  assert (R := by_rules g (strategy x) h sizes s nil _ _ S _ _
    (proj1 (proj2 (proj2 (sizes_all _ _ _ sizes)))) (proj2 (proj2 (proj2 claims_all)))).
  rewrite app_nil_r in R. assert (L : Forall (fun f => says f s) [legal g]).
  { repeat constructor. exact (proj2 S). }
  specialize (R L).
  destruct (chosen (strategy x) s) as [r|].
  - destruct R as [M B]. eexists. split; [exact M|apply says_subs, B].
  - intros B. apply R. constructor; assumption.
Qed.
End Sides.
