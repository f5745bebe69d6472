(* What is stated of a game and an answer. There are legal states; play ends; the formulas say who
   wins and who loses; the strategy moves from each winning state that has a move to a lost one, or,
   where it is not whole and no rule of it applies, there is such a move. *)
Definition right (m : meaning) (g : game) (x : solution) : Prop :=
  (exists s, is_state m g s) /\
  well_founded (fun t s => mv m g s t) /\
  (forall s, is_state m g s ->
    (Won state (mv m g) s <-> says (winning x) s) /\ (Lost state (mv m g) s <-> says (losing x) s)) /\
  (forall s, is_state m g s -> says (winning x) s -> match chosen (strategy x) s with
   | Some r => exists t, step m g s (play r) (values (taken r) s) t /\ Lost state (mv m g) t
   | None => (forall t, ~ mv m g s t) \/
       (whole x = false /\ exists t, mv m g s t /\ Lost state (mv m g) t)
   end).

(* One of the movers applies, or another formula holds. *)
Fixpoint all_of (l : list fm) : fm := match l with
| nil => Yes
| [f] => f
| f :: l => And f (all_of l)
end.
Fixpoint any_of (l : list fm) : fm := match l with
| nil => No
| [f] => f
| f :: l => Or f (any_of l)
end.
Lemma all_of_right e l : means e (all_of l) -> Forall (means e) l.
Proof.
  induction l as [|f [|f2 l] IH]; intros H; [constructor|repeat constructor; exact H|].
  destruct H as [H1 H2]. exact (Forall_cons _ H1 (IH H2)).
Qed.
Lemma any_of_right e l : means e (any_of l) -> Exists (means e) l.
Proof.
  induction l as [|f [|f2 l] IH]; intros H; [destruct H|left; exact H|].
  destruct H as [H|H]; [left; exact H|right; exact (IH H)].
Qed.
Definition movable (g : game) (h : hints) : fm :=
  any_of (map (fun m => all_of (fires g (fst m) (snd m))) (movers h) ++ going h).
Definition moving (g : game) (h : hints) : fm :=
  any_of (map (fun m => all_of (fires g (fst m) (snd m))) (movers h) ++ map whence (ready h)).
Definition claims (g : game) (x : solution) (h : hints) : list claim :=
  Claim (width g) [legal g; losing x] (moving g h) ::
  move_claims g (fun _ => nil) (fun _ => here g (movable g h)) ++
  flat_map (try_claims g 0 (fun _ => nil)) (ready h) ++
  play_claims g x h [movable g h].

Theorem right_by g x h l : sized g (strategy x) h && agreed x h = true ->
  l = claims g x h -> Forall holds l -> Forall (offered g 0) (sought h) ->
  Forall (offered g 0) (ready h) -> right (of_data g) g x.
Proof.
  intros S -> A O T. unfold claims in A. apply Forall_cons_iff in A. destruct A as [R A].
  apply Forall_app in A. destruct A as [V A]. apply Forall_app in A. destruct A as [K C].
  apply andb_prop in S. destruct S as [S A].
  assert (E := ends g h (proj1 (proj2 (claims_all g x h _ C)))). assert (P := plays g x h _ S A C O).
  assert (N : forall s, is_state (of_data g) g s -> forall B : Prop,
    (Forall (fun f => says f s) [movable g h] -> B) -> (forall t, ~ mv (of_data g) g s t) \/ B).
  { intros s L B F. destruct (test (env s) (movable g h)) eqn:Y.
    - right. apply F. repeat constructor. exact (yes _ _ Y).
    - left. intros t M. destruct (moves_show _ _ _ s t V M) as (a & p & W & _ & Q).
      apply (no _ _ Y). apply (says_here g s p _ W), Q, Forall_nil. }
  assert (D : forall s, is_state (of_data g) g s ->
    (Won state (mv (of_data g) g) s <-> says (winning x) s) /\ (Lost state (mv (of_data g) g) s <-> says (losing x) s)).
  { apply (decided state (mv (of_data g) g) _ _ _ E); [exact (stays g)|exact (one g x h _ C)| |exact (no_loss g x h _ C)|].
    - intros s L W. assert (H := P s L W). destruct (chosen (strategy x) s) as [r|].
      + right. destruct H as (t & M & B). exists t. split; [do 2 eexists; exact M|exact B].
      + destruct (N s L _ H) as [M|M]; [left; exact M|right; exact (proj2 M)].
    - intros s L B. assert (M : says (moving g h) s).
      { apply (used _ s R (proj1 L)). repeat constructor; [apply L|exact B]. }
      apply any_of_right in M. apply Exists_exists in M. destruct M as (f & I & M).
      apply in_app_iff in I. destruct I as [I|I]; apply in_map_iff in I; destruct I as (m & <- & I).
      + apply all_of_right in M. destruct (sizes_all g (strategy x) h S) as (_ & _ & _ & Z & _).
        rewrite forallb_forall in Z.
        do 3 eexists. apply (fired g (strategy x) h S s nil (fst m) (snd m) L (Z m I)).
        rewrite app_nil_r. exact M.
      + rewrite Forall_flat_map, Forall_forall in K. rewrite Forall_forall in T.
        destruct (by_try g (strategy x) h S 0 (fun _ => nil) m s nil) as (i & ts & y & Q & _);
          [apply in_app_iff; left; exact I|exact L|reflexivity|rewrite app_nil_r; exact M|exact (T m I)
          |exact (K m I)|].
        eexists. do 2 eexists. exact Q. }
  split; [exact (some_state g (strategy x) h S)|split; [exact E|split; [exact D|]]].
  intros s L W. assert (H := P s L W). destruct (chosen (strategy x) s) as [r|].
  - destruct H as (t & M & B). exists t. split; [exact M|].
    apply D; [apply (stays g s); do 2 eexists; exact M|exact B].
  - destruct (N s L _ H) as [M|(F & t & M & B)]; [left; exact M|right]. split; [exact F|].
    exists t. split; [exact M|]. apply D; [exact (stays g s t M)|exact B].
Qed.
