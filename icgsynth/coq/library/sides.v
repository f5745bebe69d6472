(* ---- Who wins and who loses, by formulas. ---- *)

(* Where the strategy is whole it has a rule wherever there is a move to a lost state. *)
Record solution := { winning : fm; losing : fm; strategy : list rule; whole : bool }.

(* What normal and misere play share: "last" is what else is known where no rule applies. *)
Definition lost_after (x : solution) (after : list tm) : list fm := [fsubs after (losing x)].
Definition agreed (x : solution) (h : hints) : bool :=
  if whole x then match sought h with nil => true | _ => false end else true.
Definition play_claims (g : game) (x : solution) (h : hints) (last : list fm) : list claim :=
  Claim (width g) [legal g] (Or (winning x) (losing x)) ::
  rank_claims g h ++
  move_claims g (fun after => [here g (losing x); fsubs after (losing x)]) (fun _ => No) ++
  rule_claims g 0 (fun after => fsubs after (losing x))
    (winning x :: last ++ map (fun t => Not (whence t)) (sought h)) [legal g] (strategy x) ++
  flat_map (try_claims g 0 (lost_after x)) (sought h).

Section Sides.
Variables (g : game) (x : solution) (h : hints) (last : list fm).
Hypothesis sizes : sized g (strategy x) h = true.
Hypothesis agree : agreed x h = true.
Hypothesis claims : Forall holds (play_claims g x h last).
Hypothesis tries : Forall (offered g 0) (sought h).

Lemma claims_all : holds (Claim (width g) [legal g] (Or (winning x) (losing x))) /\
  Forall holds (rank_claims g h) /\
  Forall holds
    (move_claims g (fun after => [here g (losing x); fsubs after (losing x)]) (fun _ => No)) /\
  Forall holds (rule_claims g 0 (fun after => fsubs after (losing x))
    (winning x :: last ++ map (fun t => Not (whence t)) (sought h)) [legal g] (strategy x)) /\
  Forall holds (flat_map (try_claims g 0 (lost_after x)) (sought h)).
Proof.
  assert (C := claims). unfold play_claims in C. apply Forall_cons_iff in C. destruct C as [O C].
  apply Forall_app in C. destruct C as [F C]. apply Forall_app in C. destruct C as [N C].
  apply Forall_app in C. tauto.
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
  | None => Forall (fun f => says f s) last ->
      whole x = false /\ exists t, mv (of_data g) g s t /\ says (losing x) t
  end.
Proof.
  intros S V.
  assert (R := by_rules g (strategy x) h sizes s nil _ _ S _ _
    (proj1 (proj2 (proj2 (sizes_all _ _ _ sizes)))) (proj1 (proj2 (proj2 (proj2 claims_all))))).
  rewrite app_nil_r in R. assert (L : Forall (fun f => says f s) [legal g]).
  { repeat constructor. exact (proj2 S). }
  specialize (R L).
  destruct (chosen (strategy x) s) as [r|].
  - destruct R as [M B]. eexists. split; [exact M|apply says_subs, B].
  - intros B. assert (A := agree). unfold agreed in A.
    assert (T : Exists (fun t => says (whence t) s) (sought h)).
    { apply Exists_exists. destruct (existsb (fun t => test (env s) (whence t)) (sought h)) eqn:E.
      - apply existsb_exists in E. destruct E as (t & I & C). exists t. split; [exact I|exact (yes _ _ C)].
      - destruct R. constructor; [exact V|]. apply Forall_app. split; [exact B|].
        apply Forall_map, Forall_forall. intros t I C. rewrite <- not_true_iff_false in E. apply E.
        apply existsb_exists. exists t. split; [exact I|]. destruct (tested (env s) (whence t)); tauto. }
    apply Exists_exists in T. destruct T as (t & I & C).
    assert (F := proj2 (proj2 (proj2 (proj2 claims_all)))).
    rewrite Forall_flat_map, Forall_forall in F. assert (O := tries). rewrite Forall_forall in O.
    destruct (by_try g (strategy x) h sizes 0 (lost_after x) t s nil) as (i & ts & y & M & Q);
      [apply in_app_iff; right; exact I|exact S|reflexivity|rewrite app_nil_r; exact C|exact (O t I)
      |exact (F t I)|].
    split; [destruct (whole x); [destruct (sought h); [destruct I|discriminate]|reflexivity]|].
    eexists. split; [do 2 eexists; exact M|]. apply Forall_cons_iff in Q. apply says_subs, Q.
Qed.
End Sides.
