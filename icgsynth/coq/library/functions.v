(* Functions of the digits of numbers, and automata that compute them. *)
Module DigitFunctions.
Import Digits.
Section Functions.
Variable system : list (nat * nat).
Notation weight := (weight system).
Notation count := (count system).
Notation columns := (columns system).
Notation enough := (enough system).
Notation fits := (fits system).
Notation after := (after system).
Notation live := (live system).
Notation tuples := (tuples system).

Fixpoint digits (i : nat) (n : Z) : list nat :=
  match i with O => [] | S i => Z.to_nat (n / weight i) :: digits i (n mod weight i) end.
(* The digits of n, the most significant first; none where n is not positive. *)
Definition word (n : Z) : list nat := digits (enough [n]) n.
(* What digits are worth. *)
Fixpoint value (w : list nat) : Z :=
  match w with [] => 0 | d :: w => Z.of_nat d * weight (length w) + value w end.
(* How many zeros the digits end in. *)
Definition trailing (w : list nat) : nat :=
  fold_left (fun k d => if (d =? 0)%nat then S k else 0%nat) w 0%nat.

(* A digit 0 appended; the last digit dropped; the weight of the last digit that is not 0; how many
   zeros come after it; and each column of digits added modulo m. *)
Definition shift (n : Z) : Z := value (word n ++ [0%nat]).
Definition unshift (n : Z) : Z := value (removelast (word n)).
Definition lowpart (n : Z) : Z := if 0 <? n then weight (trailing (word n)) else 0.
Definition zeros (n : Z) : Z := Z.of_nat (trailing (word n)).
Definition summed (m : nat) (cs : list (list nat)) : list nat :=
  map (fun ds => (list_sum ds mod m)%nat) cs.
Definition nimsum (m : nat) (ns : list Z) : Z :=
  let us := map (Z.max 0) ns in value (summed m (columns (enough us) us)).

(* ---- Words and numbers. ---- *)

Hypothesis system_ok : is_system system = true.
Notation weight_pos := (weight_pos system system_ok).

Lemma digits_length i n : length (digits i n) = i.
Proof. revert n. induction i as [|i IH]; intros n; cbn; [reflexivity|now rewrite IH]. Qed.
Lemma columns_one i n : columns i [n] = map (fun d => [d]) (digits i n).
Proof. revert n. induction i as [|i IH]; intros n; cbn; [reflexivity|now rewrite IH]. Qed.
Lemma columns_two i n m :
  columns i [n; m] = map (fun e => [fst e; snd e]) (combine (digits i n) (digits i m)).
Proof. revert n m. induction i as [|i IH]; intros n m; cbn; [reflexivity|now rewrite IH]. Qed.
Lemma value_digits i n : 0 <= n < weight i -> value (digits i n) = n.
Proof.
  revert n. induction i as [|i IH]; intros n N; cbn [digits value].
  - rewrite weight_0 in N by exact system_ok. lia.
  - pose proof (weight_pos i) as W. rewrite digits_length, Z2Nat.id by (apply Z.div_pos; lia).
    rewrite IH by (apply Z.mod_pos_bound; lia). rewrite (Z.div_mod n (weight i)) at 3 by lia. ring.
Qed.
Lemma digits_valid i q n : live q = true -> 0 <= n < count i q ->
  live (fold_left after (digits i n) q) = true.
Proof.
  revert q n. induction i as [|i IH]; intros q n L N; cbn [digits fold_left]; [exact L|].
  destruct (digit_split system system_ok i q n L N) as [A B]. now apply IH.
Qed.
Lemma word_back w : forall q, live (fold_left after w q) = true ->
  0 <= value w < count (length w) q /\ digits (length w) (value w) = w.
Proof.
  induction w as [|d w IH]; intros q L; cbn [fold_left value length digits] in *.
  - pose proof (count_pos system system_ok 0 q L). split; [lia|reflexivity].
  - destruct (IH _ L) as [V D]. assert (A : live (after q d) = true).
    { destruct (live (after q d)) eqn:E; [reflexivity|].
      unfold count in V. rewrite nth_overflow in V; [lia|].
      rewrite counts_length. now apply Nat.ltb_ge. }
    destruct (digit_join system system_ok _ _ _ _ A V) as (B & C1 & C2).
    split; [exact B|]. now rewrite C1, C2, Nat2Z.id, D.
Qed.
Lemma digits_more j i n : 0 <= n < weight i -> digits (j + i) n = repeat 0%nat j ++ digits i n.
Proof.
  intros N. assert (F : fits i [n]) by now repeat constructor.
  pose proof (columns_more system system_ok j i [n] F) as C. rewrite !columns_one in C.
  cbn [length repeat] in C. assert (M : map (fun d => [d]) (digits (j + i) n) =
    map (fun d => [d]) (repeat 0%nat j ++ digits i n)).
  { rewrite C, map_app. f_equal. clear. induction j as [|j IH]; cbn; [reflexivity|now rewrite IH]. }
  revert M. generalize (digits (j + i) n) (repeat 0%nat j ++ digits i n). clear.
  induction l as [|x l IH]; intros [|y l']; cbn; try discriminate; [reflexivity|].
  intros E. injection E as -> E. f_equal. now apply IH.
Qed.
Lemma value_zeros j w : value (repeat 0%nat j ++ w) = value w.
Proof. induction j as [|j IH]; cbn [repeat app value]; [reflexivity|rewrite IH; lia]. Qed.
Lemma enough_nothing n : n <= 0 -> enough [n] = 0%nat.
Proof.
  intros N. unfold enough. destruct (Z.to_nat _); cbn [search forallb].
  all: change (nth 0 (counts system 0) 0) with (weight 0).
  all: rewrite weight_0 by exact system_ok; now rewrite (proj2 (Z.ltb_lt n 1)) by lia.
Qed.
Lemma word_nothing n : n <= 0 -> word n = [].
Proof. intros N. unfold word. now rewrite enough_nothing. Qed.
Lemma word_fits n : 0 <= n -> 0 <= n < weight (enough [n]).
Proof.
  intros N. assert (F : natural [n]) by now repeat constructor.
  apply (enough_fits system system_ok) in F. now inversion F.
Qed.
Lemma word_max n : word (Z.max 0 n) = word n.
Proof.
  destruct (Z.le_gt_cases n 0); [rewrite !word_nothing by lia; reflexivity|].
  now rewrite Z.max_r by lia.
Qed.
(* Digits with zeros before them, or the word itself. *)
Lemma digits_word i n : 0 <= n < weight i -> exists a b w,
  digits i n = repeat 0%nat a ++ w /\ word n = repeat 0%nat b ++ w.
Proof.
  intros N. pose proof (word_fits n ltac:(lia)) as W. unfold word. set (j := enough [n]) in *.
  destruct (Nat.le_ge_cases i j) as [L|L].
  - exists 0%nat, (j - i)%nat, (digits i n). split; [reflexivity|].
    rewrite <- digits_more by exact N. f_equal. lia.
  - exists (i - j)%nat, 0%nat, (digits j n). split; [|reflexivity].
    rewrite <- digits_more by exact W. f_equal. lia.
Qed.
Lemma top_0 : (0 < top system 0)%nat.
Proof. exact (top_pos system system_ok). Qed.
Lemma live_zero q : live q = true -> live (after q 0) = true.
Proof.
  intros L. unfold after. rewrite L. destruct (Nat.ltb_spec 0 (top system q)).
  - exact (live_0 system system_ok).
  - replace (top system q) with 0%nat by lia. cbn [Nat.eqb]. now apply turn_live.
Qed.
Lemma dead_after q d : live q = false -> live (after q d) = false.
Proof. intros L. unfold after, live in *. rewrite L. apply Nat.ltb_irrefl. Qed.
Lemma live_before w d q : live (fold_left after (w ++ [d]) q) = true ->
  live (fold_left after w q) = true.
Proof.
  rewrite fold_left_app. cbn [fold_left]. set (p := fold_left _ w q). clearbody p. intros H.
  destruct (live p) eqn:L; [reflexivity|]. rewrite dead_after in H by exact L. discriminate.
Qed.
Lemma digits_of w : live (fold_left after w 0%nat) = true ->
  0 <= value w < weight (length w) /\ digits (length w) (value w) = w.
Proof. exact (word_back w 0). Qed.

(* ---- Automata from a function of a state and a column; None where nothing can follow. ---- *)

Section Machine.
Variables (next : nat -> list nat -> option nat) (final : nat -> bool).
Fixpoint runs (s : nat) (cs : list (list nat)) : option nat :=
  match cs with
  | [] => Some s
  | c :: cs => match next s c with Some t => runs t cs | None => None end
  end.
Fixpoint make_row (p : nat) (f : list nat -> positive) : row :=
  match p with
  | O => Go (f [])
  | S p => Read (map (fun d => make_row p (fun ds => f (d :: ds))) (seq 0 (base system)))
  end.
Definition made (states p : nat) : automaton :=
  numbered 1 (map (fun s => (final s, make_row p (fun ds => Pos.of_succ_nat
    match next s ds with Some t => t | None => states end))) (seq 0 states)).
Definition machine_ok (states p : nat) (A : automaton) : bool :=
  (0 <? states)%nat && forallb (fun s => match PositiveMap.find (Pos.of_succ_nat s) A with
    | Some (a, r) => eqb a (final s) && forallb (fun ds => match next s ds with
      | Some t => (t <? states)%nat && Pos.eqb (Digits.follow ds r) (Pos.of_succ_nat t)
      | None => negb (alive A (Digits.follow ds r))
      end) (tuples p)
    | None => false
    end) (seq 0 states).

Lemma machine_runs states p A : machine_ok states p A = true ->
  forall cs, Forall (fun c => In c (tuples p)) cs ->
  reads A cs = match runs 0 cs with Some t => final t | None => false end.
Proof.
  unfold machine_ok. rewrite andb_true_iff, Nat.ltb_lt, forallb_forall. intros [P H] cs.
  unfold reads. change 1%positive with (Pos.of_succ_nat 0). revert P. generalize 0%nat as s.
  induction cs as [|c cs IH]; intros s P C; cbn [fold_left runs].
  all: specialize (H s ltac:(apply in_seq; lia)) as E.
  all: destruct (PositiveMap.find (Pos.of_succ_nat s) A) as [[a r]|] eqn:F; [|discriminate].
  all: apply andb_true_iff in E; destruct E as [E G].
  - unfold accepts. rewrite F. now apply eqb_prop.
  - inversion C; subst. rewrite forallb_forall in G. specialize (G c ltac:(assumption)).
    replace (step A (Pos.of_succ_nat s) c) with (Digits.follow c r) by (unfold step; now rewrite F).
    destruct (next s c) as [t|].
    + apply andb_true_iff in G. destruct G as [T G]. apply Pos.eqb_eq in G. rewrite G.
      apply IH; [now apply Nat.ltb_lt|assumption].
    + apply negb_true_iff in G. now destruct (dead_stays A cs _ G) as [-> ->].
Qed.
Lemma machine_at states p A env : machine_ok states p A = true -> length env = p -> natural env ->
  recognised system A env =
  match runs 0 (columns (enough env) env) with Some t => final t | None => false end.
Proof.
  intros M <- N. unfold recognised. apply (machine_runs states (length env)); [exact M|].
  apply columns_small; [exact system_ok|]. now apply enough_fits.
Qed.
End Machine.

Lemma natural_two n m : 0 <= n -> 0 <= m -> natural [n; m].
Proof. intros. now repeat constructor. Qed.
Lemma enough_two n m : 0 <= n -> 0 <= m -> let i := enough [n; m] in
  0 <= n < weight i /\ 0 <= m < weight i.
Proof.
  intros N M. pose proof (enough_fits system system_ok _ (natural_two n m N M)) as F.
  inversion F as [|? ? A B]. inversion B. now split.
Qed.

(* ---- A digit 0 appended, and the last digit dropped. ---- *)

Definition shift_next (e : nat) (c : list nat) : option nat :=
  match c with [x; y] => if (x =? e)%nat then Some y else None | _ => None end.
Definition shift_machine := made shift_next (fun e => (e =? 0)%nat) (base system) 2.
Definition unshift_next (e : nat) (c : list nat) : option nat :=
  match c with [x; y] => if (y =? e)%nat then Some x else None | _ => None end.
Definition unshift_machine := made unshift_next (fun _ => true) (base system) 2.

Lemma shift_runs xs : forall ys e, e :: ys = xs ++ [0%nat] ->
  runs shift_next e (map (fun e => [fst e; snd e]) (combine xs ys)) = Some 0%nat.
Proof.
  induction xs as [|x xs IH]; intros ys e E; cbn [app] in E; injection E as -> E.
  - now subst.
  - subst ys. destruct (xs ++ [0%nat]) as [|y ys] eqn:F; [now destruct xs|].
    cbn [combine map runs shift_next fst snd]. rewrite Nat.eqb_refl. now apply IH.
Qed.
Lemma unshift_runs ys : forall xs e d, e :: xs = ys ++ [d] -> exists t,
  runs unshift_next e (map (fun e => [fst e; snd e]) (combine xs ys)) = Some t.
Proof.
  induction ys as [|y ys IH]; intros xs e d E; cbn [app] in E; injection E as -> E.
  - subst. now exists d.
  - subst xs. destruct (ys ++ [d]) as [|x xs] eqn:F; [now destruct ys|].
    cbn [combine map runs unshift_next fst snd]. rewrite Nat.eqb_refl. now apply (IH _ _ d).
Qed.

Lemma shift_at i n : 0 <= n < weight i -> shift n = value (digits i n ++ [0%nat]).
Proof.
  intros N. destruct (digits_word i n N) as (a & b & w & -> & E). unfold shift. rewrite E.
  now rewrite <- !app_assoc, !value_zeros.
Qed.
Lemma shift_valid i n : 0 <= n < weight i ->
  live (fold_left after (digits i n ++ [0%nat]) 0%nat) = true.
Proof.
  intros N. rewrite fold_left_app. apply live_zero. apply digits_valid; [|exact N].
  exact (live_0 system system_ok).
Qed.
Theorem the_shift A : machine_ok shift_next (fun e => (e =? 0)%nat) (base system) 2 A = true ->
  forall n u, u = Z.max 0 n -> exists y, 0 <= y /\ shift n = y /\ recognised system A [u; y] = true.
Proof.
  intros M n u U. exists (shift n). assert (E : shift n = shift u) by (unfold shift; subst; now rewrite word_max).
  rewrite E. clear E. assert (U0 : 0 <= u) by lia. clear U n.
  pose proof (word_fits u U0) as F. pose proof (digits_of _ (shift_valid _ _ F)) as D.
  rewrite <- shift_at in D by exact F. assert (P : 0 <= shift u) by lia. clear D F.
  split; [exact P|split; [reflexivity|]].
  rewrite (machine_at _ _ _ _ _ [u; shift u] M eq_refl (natural_two _ _ U0 P)).
  destruct (enough_two _ _ U0 P) as [F G]. set (i := enough [u; shift u]) in *. clearbody i.
  rewrite columns_two, (shift_runs (digits i u)); [reflexivity|].
  destruct (digits_of _ (shift_valid i u F)) as [_ D]. rewrite <- shift_at in D by exact F.
  rewrite <- D, app_length, digits_length. cbn [length].
  now rewrite Nat.add_comm, digits_more by exact G.
Qed.

Lemma unshift_at i n : 0 <= n < weight (S i) -> unshift n = value (removelast (digits (S i) n)).
Proof.
  intros N. destruct (digits_word (S i) n N) as (a & b & w & D & E). unfold unshift. rewrite E, D.
  destruct w as [|x w].
  - rewrite !app_nil_r. assert (Z0 : forall k, value (removelast (repeat 0%nat k)) = 0).
    { intros k. destruct k as [|k]; [reflexivity|].
      replace (removelast (repeat 0%nat (S k))) with (repeat 0%nat k).
      - pose proof (value_zeros k []) as V. now rewrite app_nil_r in V.
      - clear. induction k as [|k IH]; [reflexivity|]. change (0%nat :: repeat 0%nat k =
          0%nat :: removelast (repeat 0%nat (S k))). now rewrite <- IH. }
    now rewrite !Z0.
  - now rewrite !removelast_app, !value_zeros by discriminate.
Qed.
Theorem the_unshift A : machine_ok unshift_next (fun _ => true) (base system) 2 A = true ->
  forall n u, u = Z.max 0 n -> exists y, 0 <= y /\ unshift n = y /\ recognised system A [u; y] = true.
Proof.
  intros M n u U. exists (unshift n).
  assert (E : unshift n = unshift u) by (unfold unshift; subst; now rewrite word_max).
  rewrite E. clear E. assert (U0 : 0 <= u) by lia. clear U n.
  assert (D : forall i, 0 <= u < weight (S i) -> 0 <= unshift u < weight i /\
    digits i (unshift u) = removelast (digits (S i) u)).
  { intros i F. rewrite (unshift_at i u F).
    assert (L : length (removelast (digits (S i) u)) = i).
    { rewrite removelast_firstn_len, firstn_length, digits_length. lia. }
    pose proof (digits_of (removelast (digits (S i) u))) as D. rewrite L in D. apply D.
    apply (live_before _ (last (digits (S i) u) 0%nat)). rewrite <- app_removelast_last.
    - apply digits_valid; [exact (live_0 system system_ok)|exact F].
    - intros X. apply (f_equal (@length nat)) in X. now rewrite digits_length in X. }
  assert (P : 0 <= unshift u).
  { destruct (D (enough [u])) as [P _]; [|lia]. pose proof (word_fits u U0).
    pose proof (weight_S system system_ok (enough [u])). lia. }
  split; [exact P|split; [reflexivity|]].
  rewrite (machine_at _ _ _ _ _ [u; unshift u] M eq_refl (natural_two _ _ U0 P)).
  destruct (enough_two _ _ U0 P) as [F G]. set (i := enough [u; unshift u]) in *. clearbody i.
  rewrite columns_two.
  assert (F' : 0 <= u < weight (S i)) by (pose proof (weight_S system system_ok i); lia).
  destruct (D i F') as [_ Y].
  destruct (unshift_runs (digits i (unshift u)) (digits i u) 0 (last (digits (S i) u) 0%nat)) as [t ->];
    [|reflexivity].
  rewrite Y, <- app_removelast_last by discriminate.
  change (S i) with (1 + i)%nat. now rewrite digits_more by exact F.
Qed.

(* ---- Zeros at the end. ---- *)

Lemma trailing_end w k d : (d <> 0)%nat -> trailing (w ++ d :: repeat 0%nat k) = k.
Proof.
  intros D. unfold trailing. rewrite fold_left_app. cbn [fold_left].
  destruct d as [|d]; [congruence|]. cbn [Nat.eqb].
  assert (H : forall a, fold_left (fun k d => if (d =? 0)%nat then S k else 0%nat) (repeat 0%nat k) a
    = (k + a)%nat).
  { induction k as [|k IH]; intros a; cbn [repeat fold_left Nat.eqb]; [reflexivity|]. rewrite IH. lia. }
  rewrite H. lia.
Qed.
(* All zeros, or a last digit that is not 0. *)
Lemma word_end w : w = repeat 0%nat (length w) \/
  exists v d k, (d <> 0)%nat /\ w = v ++ d :: repeat 0%nat k.
Proof.
  induction w as [|d w [IH|(v & e & k & E & IH)]]; [now left| |].
  - destruct d as [|d]; [left; cbn; now rewrite <- IH|]. right. exists [], (S d), (length w).
    split; [discriminate|]. cbn. now rewrite <- IH.
  - right. exists (d :: v), e, k. split; [exact E|]. now rewrite IH.
Qed.
Lemma positive_end i n : 0 < n -> 0 <= n < weight i -> exists v d k, (d <> 0)%nat /\
  digits i n = v ++ d :: repeat 0%nat k /\ trailing (word n) = k.
Proof.
  intros P N. destruct (word_end (digits i n)) as [E|(v & d & k & D & E)].
  - pose proof (value_digits i n N) as V. rewrite E in V. pose proof (value_zeros (length (digits i n)) []) as Z0.
    rewrite app_nil_r in Z0. rewrite Z0 in V. cbn in V. lia.
  - exists v, d, k. split; [exact D|]. split; [exact E|].
    destruct (digits_word i n N) as (a & b & w & A & B). rewrite B.
    assert (T : forall c, trailing (repeat 0%nat c ++ w) = k); [|apply T].
    intros c. rewrite A in E.
    destruct (word_end w) as [W|(v' & d' & k' & D' & W)].
    + exfalso. rewrite W, <- repeat_app in E. assert (I : In d (repeat 0%nat (a + length w))).
      { rewrite E. apply in_app_iff. right. now left. }
      apply repeat_spec in I. contradiction.
    + rewrite W, !app_assoc. rewrite trailing_end by exact D'.
      assert (T := f_equal trailing E). rewrite W, !app_assoc in T. now rewrite !trailing_end in T.
Qed.

Definition zeros_next (m : nat) (s : nat) (c : list nat) : option nat :=
  match c with
  | [d] => if (d =? 0)%nat then Some match s with O => O | S k => S (S k mod m)%nat end else Some 1%nat
  | _ => None
  end.
Definition zeros_final (m r : nat) (s : nat) : bool := ((s - 1) mod m =? r)%nat.
Definition zeros_machine (m r : nat) := made (zeros_next m) (zeros_final m r) (S m) 1.
Lemma zeros_last m k : (0 < m)%nat -> forall s, (s < m)%nat ->
  runs (zeros_next m) (S s) (map (fun d => [d]) (repeat 0%nat k)) = Some (S ((k + s) mod m))%nat.
Proof.
  intros P. induction k as [|k IH]; intros s L; cbn [repeat map runs zeros_next Nat.eqb Nat.add].
  - now rewrite Nat.mod_small.
  - rewrite IH by (apply Nat.mod_upper_bound; lia). do 2 f_equal.
    rewrite Nat.add_mod_idemp_r by lia. f_equal. lia.
Qed.
Lemma zeros_first m w : (0 < m)%nat -> forall s, exists t,
  runs (zeros_next m) s (map (fun d => [d]) w) = Some t.
Proof.
  intros P. induction w as [|d w IH]; intros s; cbn [map runs zeros_next]; [now exists s|].
  destruct (d =? 0)%nat; apply IH.
Qed.
Lemma runs_app next a : forall s b, runs next s (a ++ b) =
  match runs next s a with Some t => runs next t b | None => None end.
Proof.
  induction a as [|c a IH]; intros s b; cbn [app runs]; [reflexivity|].
  destruct (next s c); [apply IH|reflexivity].
Qed.
Theorem the_zeros m r A : (0 < m)%nat -> machine_ok (zeros_next m) (zeros_final m r) (S m) 1 A = true ->
  forall n u, u = Z.max 0 n ->
  recognised system A [u] = (zeros n mod Z.of_nat m =? Z.of_nat r).
Proof.
  intros P M n u U. assert (E : zeros n = zeros u) by (unfold zeros; subst; now rewrite word_max).
  rewrite E. clear E. assert (U0 : 0 <= u) by lia. clear U n.
  transitivity (trailing (word u) mod m =? r)%nat.
  2: { unfold zeros. rewrite <- Nat2Z.inj_mod. destruct (Nat.eqb_spec (trailing (word u) mod m) r); lia. }
  rewrite (machine_at _ _ _ _ _ [u] M eq_refl) by now repeat constructor.
  rewrite columns_one. destruct (Z.eq_dec u 0) as [->|U1].
  - rewrite enough_nothing, word_nothing by lia. reflexivity.
  - destruct (positive_end (enough [u]) u ltac:(lia) (word_fits u U0)) as (v & d & k & D & -> & ->).
    rewrite map_app, runs_app. destruct (zeros_first m v P 0) as [t ->]. cbn [map runs zeros_next].
    destruct d as [|d]; [congruence|]. cbn [Nat.eqb]. rewrite zeros_last by lia.
    unfold zeros_final. rewrite Nat.add_0_r. cbn [Nat.sub]. rewrite Nat.sub_0_r, Nat.mod_mod by lia. reflexivity.
Qed.

(* ---- The weight of the last digit that is not 0. ---- *)

Definition low_next (s : nat) (c : list nat) : option nat :=
  match c with
  | [d; b] => if (s =? 2)%nat then if (d + b =? 0)%nat then Some 2%nat else None
      else if (b =? 0)%nat then Some (if (d =? 0)%nat then s else 1%nat)
      else if (b =? 1)%nat && negb (d =? 0)%nat then Some 2%nat else None
  | _ => None
  end.
Definition low_final (s : nat) : bool := negb (s =? 1)%nat.
Definition lowpart_machine := made low_next low_final 3 2.
Lemma weight_value k : value (1%nat :: repeat 0%nat k) = weight k.
Proof.
  cbn [value]. pose proof (value_zeros k []) as V. rewrite app_nil_r in V. rewrite V, repeat_length.
  cbn [value Z.of_nat]. lia.
Qed.
Lemma weight_valid k : live (fold_left after (1%nat :: repeat 0%nat k) 0%nat) = true.
Proof.
  cbn [fold_left]. assert (L : live (after 0%nat 1%nat) = true).
  { pose proof top_0 as T. pose proof (live_0 system system_ok) as L0. unfold after. rewrite L0.
    destruct (Nat.ltb_spec 1 (top system 0)); [exact L0|].
    replace (top system 0) with 1%nat by lia. cbn [Nat.eqb]. now apply turn_live. }
  revert L. generalize (after 0%nat 1%nat) as q. induction k as [|k IH]; intros q L; cbn [repeat fold_left].
  - exact L.
  - apply IH. now apply live_zero.
Qed.
Lemma low_zeros k : runs low_next 2 (map (fun e => [fst e; snd e])
  (combine (repeat 0%nat k) (repeat 0%nat k))) = Some 2%nat.
Proof. induction k as [|k IH]; [reflexivity|exact IH]. Qed.
Lemma low_first v : forall s, (s < 2)%nat -> exists t, (t < 2)%nat /\
  runs low_next s (map (fun e => [fst e; snd e]) (combine v (repeat 0%nat (length v)))) = Some t.
Proof.
  induction v as [|d v IH]; intros s L; [now exists s|].
  cbn [length repeat combine map runs low_next fst snd].
  destruct (Nat.eqb_spec s 2); [lia|]. cbn [Nat.eqb]. apply IH. destruct (d =? 0)%nat; lia.
Qed.
Lemma combine_app {X Y} (a : list X) (c : list Y) : forall b d, length a = length c ->
  combine (a ++ b) (c ++ d) = combine a c ++ combine b d.
Proof.
  revert c. induction a as [|x a IH]; intros [|y c] b d L; try discriminate; [reflexivity|].
  cbn. f_equal. apply IH. now injection L.
Qed.
Theorem the_lowpart A : machine_ok low_next low_final 3 2 A = true ->
  forall n u, u = Z.max 0 n -> exists y, 0 <= y /\ lowpart n = y /\ recognised system A [u; y] = true.
Proof.
  intros M n u U. exists (lowpart n). assert (E : lowpart n = lowpart u).
  { unfold lowpart. subst. rewrite word_max. destruct (Z.ltb_spec 0 n), (Z.ltb_spec 0 (Z.max 0 n)); lia. }
  rewrite E. clear E. assert (U0 : 0 <= u) by lia. clear U n.
  assert (P : 0 <= lowpart u).
  { unfold lowpart. destruct (0 <? u); [|lia]. pose proof (weight_pos (trailing (word u))). lia. }
  split; [exact P|split; [reflexivity|]].
  rewrite (machine_at _ _ _ _ _ [u; lowpart u] M eq_refl (natural_two _ _ U0 P)).
  destruct (enough_two _ _ U0 P) as [F G]. set (i := enough [u; lowpart u]) in *. clearbody i.
  rewrite columns_two. unfold lowpart in *. destruct (Z.ltb_spec 0 u) as [U1|U1].
  - destruct (positive_end i u U1 F) as (v & d & k & D & E & T). rewrite T in *.
    assert (L : i = (length v + S k)%nat).
    { rewrite <- (digits_length i u), E, app_length. cbn [length]. now rewrite repeat_length. }
    destruct (digits_of _ (weight_valid k)) as [_ W]. rewrite weight_value in W. cbn [length] in W.
    rewrite repeat_length in W.
    assert (B : 0 <= weight k < weight (S k)).
    { pose proof (weight_pos k). pose proof (weight_S system system_ok k). lia. }
    rewrite E, L, digits_more, W, combine_app, map_app, runs_app by (exact B || now rewrite repeat_length).
    destruct (low_first v 0 ltac:(lia)) as (t & Lt & ->).
    cbn [combine map runs low_next fst snd]. destruct (Nat.eqb_spec t 2); [lia|].
    destruct d as [|d]; [congruence|]. cbn [Nat.eqb negb andb]. now rewrite low_zeros.
  - replace u with 0 by lia. assert (Z0 : 0 <= 0 < weight 0) by (rewrite weight_0 by exact system_ok; lia).
    assert (E : digits i 0 = repeat 0%nat i).
    { pose proof (digits_more i 0 0 Z0) as E. rewrite Nat.add_0_r in E. rewrite E. apply app_nil_r. }
    rewrite E.
    assert (S0 : forall j, runs low_next 0 (map (fun e => [fst e; snd e])
      (combine (repeat 0%nat j) (repeat 0%nat j))) = Some 0%nat) by (induction j; [reflexivity|assumption]).
    now rewrite S0.
Qed.

(* ---- Columns added modulo m, where each word of digits below m is one of a number. ---- *)

Definition adds (m : nat) : bool :=
  match system with [(t, 0%nat)] => (0 <? m)%nat && (m <=? S t)%nat | _ => false end.
Definition sum_next (m : nat) (s : nat) (c : list nat) : option nat :=
  if (list_sum (removelast c) mod m =? last c 0)%nat then Some s else None.
Definition sum_machine (m p : nat) := made (sum_next m) (fun _ => true) 1 (S p).

Lemma adds_valid m w : adds m = true -> Forall (fun d => (d < m)%nat) w ->
  live (fold_left after w 0%nat) = true.
Proof.
  intros A W. assert (Z0 := live_0 system system_ok).
  induction W as [|d w D W IH]; [exact Z0|]. cbn [fold_left].
  replace (after 0%nat d) with 0%nat; [exact IH|]. unfold after. rewrite Z0.
  unfold adds in A. unfold top, turn. clear - A D.
  destruct system as [|[t [|n]] [|e l]]; try discriminate. cbn [nth fst snd length] in *.
  apply andb_true_iff in A. destruct A as [_ A]. apply Nat.leb_le in A.
  destruct (Nat.ltb_spec d t); [reflexivity|]. destruct (Nat.eqb_spec d t); [reflexivity|lia].
Qed.
Lemma summed_zeros m p j : summed m (repeat (repeat 0%nat p) j) = repeat 0%nat j.
Proof.
  assert (E : (list_sum (repeat 0%nat p) mod m)%nat = 0%nat).
  { replace (list_sum (repeat 0%nat p)) with 0%nat by (induction p; auto).
    destruct m; [reflexivity|now apply Nat.mod_0_l]. }
  induction j as [|j IH]; [reflexivity|]. unfold summed in *. cbn. now rewrite E, IH.
Qed.
Lemma summed_more m j i us : fits i us ->
  summed m (columns (j + i) us) = repeat 0%nat j ++ summed m (columns i us).
Proof.
  intros F. rewrite columns_more by assumption. unfold summed at 1. rewrite map_app. f_equal.
  apply summed_zeros.
Qed.
Lemma max_natural us : natural us -> map (Z.max 0) us = us.
Proof. induction 1; cbn [map]; [reflexivity|]. f_equal; [lia|assumption]. Qed.
Lemma nimsum_at m i us : natural us -> fits i us ->
  nimsum m us = value (summed m (columns i us)).
Proof.
  intros N F. unfold nimsum. rewrite max_natural by exact N.
  pose proof (enough_fits system system_ok us N) as G. cbv zeta.
  destruct (Nat.le_ge_cases i (enough us)) as [L|L].
  - replace (enough us) with (enough us - i + i)%nat by lia.
    now rewrite summed_more, value_zeros.
  - replace i with (i - enough us + enough us)%nat by lia. now rewrite summed_more, value_zeros.
Qed.
Lemma sum_runs m cs : runs (sum_next m) 0 (zip cs (map (fun d => [d]) (summed m cs))) = Some 0%nat.
Proof.
  induction cs as [|c cs IH]; [reflexivity|]. cbn. unfold sum_next.
  rewrite removelast_last, last_last, Nat.eqb_refl. exact IH.
Qed.
Theorem the_nimsum m p A : adds m && machine_ok (sum_next m) (fun _ => true) 1 (S p) A = true ->
  forall ns us, length ns = p -> us = map (Z.max 0) ns ->
  exists y, 0 <= y /\ nimsum m ns = y /\ recognised system A (us ++ [y]) = true.
Proof.
  intros M ns us L U. apply andb_true_iff in M. destruct M as [B M]. exists (nimsum m ns).
  assert (N : natural us) by (subst us; apply Forall_map; apply Forall_forall; intros; lia).
  assert (E : nimsum m ns = nimsum m us).
  { unfold nimsum. rewrite (max_natural us N). now subst us. }
  rewrite E. clear E.
  assert (D : forall i, fits i us -> 0 <= nimsum m us < weight i /\
    digits i (nimsum m us) = summed m (columns i us)).
  { intros i F. rewrite (nimsum_at m i us N F).
    pose proof (digits_of (summed m (columns i us))) as D.
    assert (S : length (summed m (columns i us)) = i) by (unfold summed; now rewrite map_length, columns_length).
    rewrite S in D. apply D.
    apply (adds_valid m); [exact B|]. apply Forall_map. apply Forall_forall. intros c _.
    apply Nat.mod_upper_bound. unfold adds in B. destruct system as [|[t [|n]] [|e l]]; try discriminate.
    apply andb_true_iff in B. destruct B as [B _]. apply Nat.ltb_lt in B. lia. }
  pose proof (enough_fits system system_ok us N) as F. destruct (D _ F) as [P _].
  split; [lia|split; [reflexivity|]].
  assert (N' : natural (us ++ [nimsum m us])) by (apply Forall_app; split; [exact N|repeat constructor; lia]).
  assert (L' : length (us ++ [nimsum m us]) = S p) by (rewrite app_length; subst; rewrite map_length; cbn; lia).
  rewrite (machine_at _ _ _ _ _ _ M L' N').
  pose proof (enough_fits system system_ok _ N') as G. apply Forall_app in G.
  destruct (D _ (proj1 G)) as [_ W].
  now rewrite columns_zip, columns_one, W, sum_runs.
Qed.

End Functions.
End DigitFunctions.
