(* ---- What each state is worth, by a formula about the numbers of a state and, after them, a value. ---- *)

Record solution := { graph : fm }.

(* What is stated of a game and an answer. There are legal states; play ends; the formula holds of
   each state with its value, and of no other natural number. *)
Definition right (m : meaning) (g : game) (x : solution) : Prop :=
  (exists s, is_state m g s) /\
  well_founded (fun t s => mv m g s t) /\
  (forall s z, is_state m g s -> (Value state (mv m g) s z <-> 0 <= z /\ says (graph x) (s ++ [z]))).

(* Each state has a value: an automaton finds one. *)
Definition valued_try (x : solution) : try :=
  {| whence := Yes; offers := [{| guessed := 1; met := graph x; does := 0; taking := nil |}] |}.
(* No move keeps the value, which is the last number; some move leads to each smaller one, where
   the last numbers are the value and the smaller one. *)
Definition keep_claims (g : game) (x : solution) : list claim := map (fun a =>
  let n := (width g + takes a)%nat in let w := X n in
  Claim (n + 1) (map (fsubs (first n)) (moved g a) ++ [Le (K 0) w; fsubs (names g ++ [w]) (graph x);
    fsubs (map (tsubs (first n)) (effects a) ++ [w]) (graph x)]) No) (actions g).
Definition smaller (g : game) (x : solution) : list fm := let w := X (width g + 1) in
  [here g (legal g); fsubs (names g ++ [X (width g)]) (graph x); Le (K 0) w; Lt w (X (width g))].
Definition reached (g : game) (x : solution) (after : list tm) : list fm :=
  [fsubs (after ++ [X (width g + 1)]) (graph x)].
Definition claims (g : game) (x : solution) (h : hints) : list claim :=
  rank_claims g h ++ keep_claims g x ++
  map (fun t => Claim (width g + 2) (smaller g x) (whence t)) (sought h) ++
  flat_map (try_claims g 2 (reached g x)) (sought h).

Theorem right_by g x h l : sized g nil h && match sought h with nil => false | _ => true end = true ->
  l = claims g x h -> Forall holds l -> Forall (offered g 2) (sought h) ->
  Forall (offered g 0) [valued_try x] -> right (of_data g) g x.
Proof.
  intros S -> C O V. apply andb_prop in S. destruct S as [S N].
  apply Forall_app in C. destruct C as [F C]. apply Forall_app in C. destruct C as [K C].
  apply Forall_app in C. destruct C as [D T]. rewrite Forall_map in D.
  split; [exact (some_state g nil h S)|]. split; [exact (ends g h F)|]. intros s z L.
  apply (valued_by state (mv (of_data g) g) (is_state (of_data g) g)
    (fun s z => says (graph x) (s ++ [z])) (ends g h F) (stays g)); [| | |exact L]; clear s z L.
  - intros s L. apply Forall_cons_iff in V. destruct V as [V _].
    destruct L as [L K']. cbn in K'. assert (L0 : length s = (width g + 0)%nat) by lia.
    assert (G : says (fsubs (first (width g)) (legal g)) s).
    { rewrite <- (app_nil_r s). apply says_first; [exact L|exact K']. }
    assert (Y : says (whence (valued_try x)) s) by exact I.
    specialize (V s L0 G Y). apply Exists_exists in V. destruct V as (o & [<-|[]] & y & E & P & W).
    destruct y as [|z [|z2 y]]; try discriminate. exists z. split; [inversion P; assumption|exact W].
  - intros s t z (i & p & M) P A B. destruct (was_moved g s i p t M) as (a & J & W & L & Q & ->).
    unfold keep_claims in K. rewrite Forall_map, Forall_forall in K.
    assert (N1 : nth (width g + takes a) ((s ++ p) ++ [z]) 0 = z).
    { rewrite <- L, app_nth2, Nat.sub_diag by lia. reflexivity. }
    assert (T1 : values (names g ++ [X (width g + takes a)]) ((s ++ p) ++ [z]) = s ++ [z]).
    { unfold values. rewrite map_app. cbn [map value]. unfold env at 2. rewrite N1. f_equal.
      rewrite <- app_assoc. exact (unmoved g s (p ++ [z]) W). }
    assert (T2 : values (map (tsubs (first (width g + takes a))) (effects a) ++ [X (width g + takes a)])
      ((s ++ p) ++ [z]) = values (effects a) (s ++ p) ++ [z]).
    { unfold values. rewrite map_app, map_map. cbn [map value]. unfold env at 2. rewrite N1. f_equal.
      apply map_ext. intros t. rewrite (proj1 (subs_right _ _)), (unchanged _ (s ++ p) [z] L). reflexivity. }
    apply (used _ ((s ++ p) ++ [z]) (K a J)).
    + cbn [over]. rewrite app_length. cbn [length]. lia.
    + cbn [supposed]. apply Forall_app. split.
      * apply Forall_map. revert Q. apply Forall_impl. intros f Q.
        apply (says_first _ (s ++ p) [z] f L). exact Q.
      * repeat constructor.
        -- unfold says. cbn [means value]. unfold env. rewrite N1. exact P.
        -- apply says_subs. rewrite T1. exact A.
        -- apply says_subs. rewrite T2. exact B.
  - intros s z w L A W.
    assert (L2 : length (s ++ [z; w]) = (width g + 2)%nat) by (rewrite app_length, (proj1 L); reflexivity).
    assert (N1 : nth (width g) (s ++ [z; w]) 0 = z).
    { rewrite <- (proj1 L), app_nth2, Nat.sub_diag by lia. reflexivity. }
    assert (N2 : nth (width g + 1) (s ++ [z; w]) 0 = w).
    { rewrite <- (proj1 L), app_nth2 by lia. replace (length s + 1 - length s)%nat with 1%nat by lia. reflexivity. }
    destruct (sought h) as [|t ts] eqn:Y; [discriminate|]. apply Forall_cons_iff in D. destruct D as [D _].
    apply Forall_cons_iff in O. destruct O as [O _]. cbn [flat_map] in T. apply Forall_app in T.
    destruct T as [T _].
    assert (B : says (whence t) (s ++ [z; w])).
    { apply (used _ _ D L2). cbn [supposed smaller]. constructor; [apply says_here; apply L|].
      constructor.
      - apply says_subs. unfold values. rewrite map_app. cbn [map value]. unfold env at 2. rewrite N1.
        change (map (value (env (s ++ [z; w]))) (names g)) with (values (names g) (s ++ [z; w])).
        rewrite (unmoved g s [z; w] (proj1 L)). exact A.
      - repeat constructor; unfold says; cbn [means value]; unfold env; rewrite ?N1, ?N2; apply W. }
    destruct (by_try g nil h S 2 (reached g x) t s [z; w]) as (i & ts' & y & M & Q);
      [rewrite Y; apply in_app_iff; right; left; reflexivity|exact L|reflexivity|exact B|exact O|exact T|].
    eexists. split; [do 2 eexists; exact M|]. apply Forall_cons_iff in Q. destruct Q as [Q _].
    apply says_subs in Q. unfold values in Q. rewrite map_app in Q. cbn [map value] in Q.
    unfold env at 2 in Q. rewrite app_assoc, app_nth1, N2 in Q by lia. rewrite <- app_assoc in Q. exact Q.
Qed.
