(* ---- Heaps that split, by the code of the game. ---- *)

Section Heaps.
Variable code : list N.  (* the digits d0, d1, .. *)
Definition digit (k : nat) : N := nth k code 0%N.

(* A move takes k from a heap of n where the digit of k allows it: bit 0, if nothing is left;
   bit 1, if one heap is left; bit 2, if two are.  If g gives the values of smaller heaps, then v
   is the value of what some move leaves: 0, or that of one heap, or the xor of two. *)
Definition option_value (g : nat -> N) (n : nat) (v : N) : Prop := exists k, k <= n /\ (
  (N.testbit (digit k) 0 = true /\ n = k /\ v = 0%N) \/
  (N.testbit (digit k) 1 = true /\ 0 < n - k /\ v = g (n - k)) \/
  (N.testbit (digit k) 2 = true /\
    exists a b, 0 < a /\ 0 < b /\ a + b = n - k /\ v = N.lxor (g a) (g b))).

(* The value of each heap is the least number that no move leaves. *)
Definition nim_sequence (g : nat -> N) : Prop := forall n,
  ~ option_value g n (g n) /\ forall w, (w < g n)%N -> option_value g n w.

(* Every move makes each heap smaller. *)
Definition ends : bool := negb (N.testbit (digit 0) 0) && negb (N.testbit (digit 0) 1).

Lemma option_smaller f g n v : ends = true -> (forall m, m < n -> f m = g m) ->
  option_value f n v -> option_value g n v.
Proof.
  intros E S (k & L & H). exists k. split; [exact L|].
  destruct H as [H|[(B & P & ->)|(B & a & b & A & C & D & ->)]].
  - left. exact H.
  - right. left. destruct k as [|k].
    { unfold ends in E. rewrite B in E. rewrite andb_comm in E. discriminate. }
    rewrite S by lia. auto.
  - right. right. split; [exact B|]. exists a, b. rewrite !S by lia. auto.
Qed.

Theorem nim_unique f g : ends = true -> nim_sequence f -> nim_sequence g -> forall n, f n = g n.
Proof.
  intros E F G n. induction n as [n IH] using (well_founded_ind lt_wf).
  destruct (F n) as [NF LF], (G n) as [NG LG].
  destruct (N.lt_trichotomy (f n) (g n)) as [L|[L|L]]; [|exact L|].
  - destruct NF. apply (option_smaller g f n _ E); [|exact (LG _ L)]. intros m M. symmetry. auto.
  - destruct NG. apply (option_smaller f g n _ E); [|exact (LF _ L)]. auto.
Qed.

(* ---- A sequence that repeats, and the theorem of Guy and Smith (1956). ---- *)

Variables (start period : nat) (values : list N).
Definition place (n : nat) : nat :=
  if n <? start then n else start + (n - start) mod period.
Definition repeating (n : nat) : N := nth (place n) values 0%N.

Definition split_values (m : nat) : list N :=
  map (fun a => N.lxor (repeating a) (repeating (m - a))) (seq 1 (m - 1)).
Definition values_after (n k : nat) : list N :=
  (if N.testbit (digit k) 0 && (n =? k) then [0%N] else []) ++
  (if N.testbit (digit k) 1 && (0 <? n - k) then [repeating (n - k)] else []) ++
  (if N.testbit (digit k) 2 then split_values (n - k) else []).
Definition all_values (n : nat) : list N :=
  flat_map (values_after n) (seq 0 (min (length code) (S n))).
Definition met (n : nat) : N := fold_right (fun v m => N.setbit m v) 0%N (all_values n).
Definition is_least (n : nat) : bool :=
  let m := met n in let z := repeating n in
  negb (N.testbit m z) && (N.land m (N.ones z) =? N.ones z)%N.

Definition needed : nat := 2 * (max 1 start + period) + (length code - 1).
Definition checked_period : bool :=
  ends && (0 <? period) && forallb is_least (seq 0 needed).

Lemma in_splits m v : In v (split_values m) <->
  exists a b, 0 < a /\ 0 < b /\ a + b = m /\ v = N.lxor (repeating a) (repeating b).
Proof.
  unfold split_values. rewrite in_map_iff. split.
  - intros (a & <- & I). apply in_seq in I. exists a, (m - a). repeat split; lia.
  - intros (a & b & A & B & <- & ->). exists a. rewrite in_seq. split; [|lia].
    replace (a + b - a) with b by lia. reflexivity.
Qed.

Lemma in_all n v : In v (all_values n) <-> option_value repeating n v.
Proof.
  unfold all_values, option_value. rewrite in_flat_map. split.
  - intros (k & I & H). apply in_seq in I. exists k. split; [lia|].
    unfold values_after in H. rewrite !in_app_iff in H. destruct H as [H|[H|H]].
    + left. destruct (N.testbit _ 0); [|destruct H]. destruct (Nat.eqb_spec n k); [|destruct H].
      destruct H as [<-|[]]. auto.
    + right. left. destruct (N.testbit _ 1); [|destruct H].
      destruct (Nat.ltb_spec 0 (n - k)); [|destruct H]. destruct H as [<-|[]]. auto.
    + right. right. destruct (N.testbit _ 2); [|destruct H]. split; [reflexivity|].
      apply in_splits. exact H.
  - intros (k & L & H). exists k. split.
    + apply in_seq. split; [lia|]. destruct (Nat.lt_ge_cases k (length code)) as [|G]; [lia|].
      assert (Z : digit k = 0%N) by (apply nth_overflow; exact G).
      rewrite Z, !N.bits_0 in H. destruct H as [(? & _)|[(? & _)|(? & _)]]; discriminate.
    + unfold values_after. rewrite !in_app_iff. destruct H as [(B & -> & ->)|[(B & P & ->)|(B & H)]].
      * left. rewrite B, Nat.eqb_refl. left. reflexivity.
      * right. left. rewrite B. apply Nat.ltb_lt in P. rewrite P. left. reflexivity.
      * right. right. rewrite B. apply in_splits. exact H.
Qed.

Lemma met_right n v : N.testbit (met n) v = true <-> option_value repeating n v.
Proof.
  rewrite <- in_all. unfold met. induction (all_values n) as [|x l IH]; cbn [fold_right In].
  - rewrite N.bits_0. split; [discriminate|intros []].
  - rewrite N.setbit_iff, IH. tauto.
Qed.

Lemma least_right n : is_least n = true ->
  ~ option_value repeating n (repeating n) /\
  forall w, (w < repeating n)%N -> option_value repeating n w.
Proof.
  unfold is_least. rewrite andb_true_iff, negb_true_iff. intros [F L]. apply N.eqb_eq in L. split.
  - intros O. apply met_right in O. congruence.
  - intros w W. apply met_right. assert (T := N.ones_spec_low _ _ W). rewrite <- L in T.
    rewrite N.land_spec in T. apply andb_prop in T. exact (proj1 T).
Qed.

Lemma repeats n : 0 < period -> start <= n -> repeating (n + period) = repeating n.
Proof.
  intros P S. unfold repeating, place. rewrite (proj2 (Nat.ltb_ge n start) S).
  rewrite (proj2 (Nat.ltb_ge (n + period) start)) by lia.
  replace (n + period - start) with (n - start + 1 * period) by lia.
  rewrite Nat.mod_add by lia. reflexivity.
Qed.

(* Far heaps have the values that a period less has: of two heaps one is large. *)
Lemma same_options n v : 0 < period -> needed <= n + period ->
  option_value repeating (n + period) v <-> option_value repeating n v.
Proof.
  unfold needed. intros P N0.
  assert (D : forall k i, N.testbit (digit k) i = true -> k <= length code - 1).
  { intros k i B. destruct (Nat.lt_ge_cases k (length code)) as [|G]; [lia|].
    assert (Z : digit k = 0%N) by (apply nth_overflow; exact G).
    rewrite Z, N.bits_0 in B. discriminate. }
  split; intros (k & L & [(B & H & ->)|[(B & H & ->)|(B & a & b & A & C & E & ->)]]);
    specialize (D k _ B); exists k.
  - exfalso. lia.
  - split; [lia|]. right. left. split; [exact B|]. split; [lia|].
    replace (n + period - k) with (n - k + period) by lia. apply repeats; lia.
  - split; [lia|]. right. right. split; [exact B|].
    destruct (Nat.le_gt_cases a b) as [O|O].
    + exists a, (b - period). repeat split; try lia. f_equal.
      rewrite <- (repeats (b - period)) by lia. f_equal. lia.
    + exists (a - period), b. repeat split; try lia. f_equal.
      rewrite <- (repeats (a - period)) by lia. f_equal. lia.
  - exfalso. lia.
  - split; [lia|]. right. left. split; [exact B|]. split; [lia|].
    replace (n + period - k) with (n - k + period) by lia. symmetry. apply repeats; lia.
  - split; [lia|]. right. right. split; [exact B|].
    destruct (Nat.le_gt_cases a b) as [O|O].
    + exists a, (b + period). repeat split; try lia. f_equal. symmetry. apply repeats; lia.
    + exists (a + period), b. repeat split; try lia. f_equal. symmetry. apply repeats; lia.
Qed.

Theorem sequence_repeats : checked_period = true ->
  nim_sequence repeating /\
  (forall g, nim_sequence g -> forall n, g n = repeating n) /\
  (forall n, n < start + period -> repeating n = nth n values 0%N) /\
  forall n, start <= n -> repeating (n + period) = repeating n.
Proof.
  unfold checked_period. rewrite !andb_true_iff, forallb_forall. intros [[E P] C].
  apply Nat.ltb_lt in P. assert (S : nim_sequence repeating).
  { intros n. induction n as [n IH] using (well_founded_ind lt_wf).
    destruct (Nat.lt_ge_cases n needed) as [L|L].
    { apply least_right, C, in_seq. lia. }
    assert (X : exists m, n = m + period) by (exists (n - period); unfold needed in L; lia).
    destruct X as [m ->]. destruct (IH m) as [F G]; [lia|].
    rewrite repeats by (unfold needed in L; lia). split.
    - intros O. exact (F (proj1 (same_options m _ P L) O)).
    - intros w W. exact (proj2 (same_options m _ P L) (G w W)). }
  split; [exact S|split; [|split]].
  - intros g G. exact (nim_unique g repeating E G S).
  - intros n L. unfold repeating, place. destruct (Nat.ltb_spec n start); [reflexivity|].
    rewrite Nat.mod_small by lia. f_equal. lia.
  - intros n. apply repeats. exact P.
Qed.
End Heaps.

