(* ---- What each state is worth, by a term. ---- *)

(* The rules of the strategy are about the numbers of the state and, after them, the value that is
   to be reached. *)
Record solution := { grundy : tm; strategy : list rule }.

(* What is stated of a game and an answer. There are legal states; play ends; the term is the value
   of each; the strategy moves to each smaller value. *)
Definition right (m : meaning) (g : game) (x : solution) : Prop :=
  (exists s, is_state m g s) /\
  well_founded (fun t s => mv m g s t) /\
  (forall s z, is_state m g s ->
    (Value state (mv m g) s z <-> z = value (env s) (grundy x))) /\
  (forall s w, is_state m g s -> 0 <= w < value (env s) (grundy x) ->
   match chosen (strategy x) (s ++ [w]) with
   | Some r => exists t, step m g s (play r) (values (taken r) (s ++ [w])) t /\
       Value state (mv m g) t w
   | None => False
   end).

Definition claims (g : game) (x : solution) (h : hints) : list claim :=
  let old := tsubs (names g) (grundy x) in let aim := X (width g) in
  Claim (width g) [legal g] (Le (K 0) (grundy x)) ::
  rank_claims g h ++
  move_claims g (fun _ => nil) (fun after => Ne (tsubs after (grundy x)) old) ++
  rule_claims g 1 (fun after => Eq (tsubs after (grundy x)) aim) nil
    [here g (legal g); And (Le (K 0) aim) (Lt aim old)] (strategy x).

Theorem right_by g x h l :
  sized g (strategy x) h = true -> l = claims g x h -> Forall holds l -> right (of_data g) g x.
Proof.
  intros S -> C. unfold claims in C. apply Forall_cons_iff in C. destruct C as [B C].
  apply Forall_app in C. destruct C as [F C]. apply Forall_app in C. destruct C as [N R].
  assert (E := ends g h F).
  assert (old : forall s p, length s = width g ->
    value (env (s ++ p)) (tsubs (names g) (grundy x)) = value (env s) (grundy x)).
  { intros s p W. rewrite (proj1 (subs_right _ _)), (unmoved g s p W). reflexivity. }
  assert (P : forall s w, is_state (of_data g) g s -> 0 <= w < value (env s) (grundy x) ->
    match chosen (strategy x) (s ++ [w]) with
    | Some r => exists t, step (of_data g) g s (play r) (values (taken r) (s ++ [w])) t /\
        value (env t) (grundy x) = w
    | None => False
    end).
  { intros s w L W. assert (A : value (env (s ++ [w])) (X (width g)) = w).
    { cbn. unfold env. rewrite <- (proj1 L), app_nth2, Nat.sub_diag by lia. reflexivity. }
    assert (H := by_rules g (strategy x) h S s [w] _ _ L _ _
      (proj1 (proj2 (proj2 (sizes_all _ _ _ S)))) R).
    assert (K : Forall (fun f => says f (s ++ [w])) [here g (legal g);
      And (Le (K 0) (X (width g))) (Lt (X (width g)) (tsubs (names g) (grundy x)))]).
    { constructor; [apply says_here; apply L|]. repeat constructor; cbn [means];
        rewrite ?A, ?(old s [w] (proj1 L)); apply W. }
    specialize (H K). destruct (chosen (strategy x) (s ++ [w])) as [r|].
    - destruct H as [M G]. eexists. split; [exact M|]. unfold says in G. cbn [means] in G.
      rewrite A, (proj1 (subs_right _ _)) in G. exact G.
    - exact (H (Forall_nil _)). }
  assert (D : forall s z, is_state (of_data g) g s ->
    (Value state (mv (of_data g) g) s z <-> z = value (env s) (grundy x))).
  { apply (valued state (mv (of_data g) g) _ (fun s => value (env s) (grundy x)) E (stays g)).
    - intros s [W L]. apply (used _ s B W). repeat constructor. exact L.
    - intros s t M. destruct (moves_show _ _ _ s t N M) as (a & p & W & -> & Q).
      specialize (Q (Forall_nil _)). unfold says in Q. cbn [means] in Q.
      rewrite (old s p W), (proj1 (subs_right _ _)) in Q. exact Q.
    - intros s w L W. assert (H := P s w L W).
      destruct (chosen (strategy x) (s ++ [w])) as [r|]; [|destruct H].
      destruct H as (t & M & V). exists t. split; [do 2 eexists; exact M|exact V]. }
  split; [exact (some_state g (strategy x) h S)|split; [exact E|split; [exact D|]]].
  intros s w L W. assert (H := P s w L W).
  destruct (chosen (strategy x) (s ++ [w])) as [r|]; [|exact H].
  destruct H as (t & M & V). exists t. split; [exact M|].
  apply (D t); [apply (stays g s); do 2 eexists; exact M|symmetry; exact V].
Qed.
