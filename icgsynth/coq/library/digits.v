(* Numbers written in digits, and finite automata that read several of them side by side.  All is
   decided by computation: what a check accepts, a theorem turns into a statement on all numbers. *)
Unset Nia Cache.
Module Digits.

(* ---- 1. Exploration: what no run ever reaches. ---- *)

Section Never.
Variables (state symbol : Type) (all : list symbol) (symbols : state -> list symbol).
Variables (next : state -> symbol -> state) (hopeless final : state -> bool).
Variable hash : state -> positive.
Variable same : state -> state -> bool.
Hypothesis same_eq : forall s t, same s t = true -> s = t.
(* The symbols to look at; all others lead to hopeless states. *)
Hypothesis others : forall s x, In x all -> In x (symbols s) \/ hopeless (next s x) = true.
Hypothesis hopeless_stays : forall w s, hopeless s = true -> final (fold_left next w s) = false.

Definition known (seen : PositiveMap.t state) (s : state) : bool :=
  match PositiveMap.find (hash s) seen with Some t => same s t | None => false end.

Definition meet (found : PositiveMap.t state * list state) (s : state) :=
  if hopeless s then found else match PositiveMap.find (hash s) (fst found) with
  | Some _ => found
  | None => (PositiveMap.add (hash s) s (fst found), s :: snd found)
  end.

(* One layer after the other; [closed] checks what comes out. *)
Fixpoint reach (layers : nat) (seen : PositiveMap.t state) (work : list state) :=
  match layers, work with
  | S layers, _ :: _ =>
      let found := fold_left (fun found s =>
        fold_left (fun found x => meet found (next s x)) (symbols s) found) work (seen, nil) in
      reach layers (fst found) (snd found)
  | _, _ => seen
  end.

Definition closed (seen : PositiveMap.t state) : bool :=
  forallb (fun e => negb (final (snd e)) && forallb (fun x => let t := next (snd e) x in
    hopeless t || known seen t) (symbols (snd e))) (PositiveMap.elements seen).

Definition never (layers : nat) (start : state) : bool :=
  let seen := reach layers (PositiveMap.add (hash start) start (PositiveMap.empty _)) [start] in
  known seen start && closed seen.

Lemma never_ok layers start : never layers start = true ->
  forall w, Forall (fun x => In x all) w -> final (fold_left next w start) = false.
Proof.
  unfold never. set (seen := reach _ _ _). clearbody seen. intros H. apply andb_true_iff in H.
  destruct H as [K C]. unfold closed in C. rewrite forallb_forall in C.
  intros w. revert start K. induction w as [|x w IH]; intros s K W.
  all: assert (F : negb (final s) &&
    forallb (fun x => let t := next s x in hopeless t || known seen t) (symbols s) = true) by
    (unfold known in K; destruct (PositiveMap.find (hash s) seen) as [t|] eqn:E; [|discriminate];
    apply same_eq in K; subst t; exact (C _ (PositiveMap.elements_correct _ _ E))).
  all: apply andb_true_iff in F; destruct F as [F G]; cbn [fold_left].
  - now apply negb_true_iff in F.
  - inversion W; subst. rewrite forallb_forall in G.
    destruct (others s x ltac:(assumption)) as [I|I]; [|now apply hopeless_stays].
    specialize (G x I). cbv zeta in G. apply orb_true_iff in G.
    destruct G as [G|G]; [now apply hopeless_stays|now apply IH].
Qed.
End Never.

(* ---- 2. Vectors of integers. ---- *)

Fixpoint dot (a b : list Z) : Z :=
  match a, b with x :: a, y :: b => x * y + dot a b | _, _ => 0 end.
Fixpoint plus (a b : list Z) : list Z :=
  match a, b with
  | [], _ => b
  | _, [] => a
  | x :: a, y :: b => (x + y) :: plus a b
  end.
Definition unit (n : nat) (x : Z) : list Z := repeat 0 n ++ [x].
Definition scale (c : Z) (a : list Z) : list Z := map (Z.mul c) a.

Lemma dot_plus a b l : dot (plus a b) l = dot a l + dot b l.
Proof.
  revert b l. induction a as [|x a IH]; intros [|y b] [|z l]; cbn [dot plus]; try lia.
  rewrite IH. ring.
Qed.
Lemma dot_unit n x l : dot (unit n x) l = x * nth n l 0.
Proof.
  revert l. unfold unit. induction n as [|n IH]; intros [|z l]; cbn; try lia. apply IH.
Qed.
Lemma dot_scale c a l : dot (scale c a) l = c * dot a l.
Proof. revert l. induction a as [|x a IH]; intros [|z l]; cbn [dot scale map]; try lia.
  fold (scale c a). rewrite IH. ring. Qed.
Lemma dot_repeat n l : dot (repeat 0 n) l = 0.
Proof. revert l. induction n as [|n IH]; intros [|z l]; cbn [dot repeat]; rewrite ?IH; lia. Qed.
Lemma dot_least a l : forallb (Z.leb 0) a = true -> Forall (fun x => 1 <= x) l ->
  dot a (repeat 1 (length l)) <= dot a l.
Proof.
  revert l. induction a as [|x a IH]; intros [|z l] P L; cbn in *; try lia.
  apply andb_true_iff in P. inversion L; subst. destruct P as [P Q].
  specialize (IH l Q ltac:(assumption)). nia.
Qed.

(* ---- 3. Numeration systems. ----
   A system is a list of states, the first one first.  In a state (t, n) a digit below t leads to the
   first state, the digit t to state n, and no larger digit is allowed.  The weight of a position is
   how many words there are to the right of it. *)

Section System.
Variable system : list (nat * nat).
Notation size := (length system).

Definition top (q : nat) : nat := fst (nth q system (0, 0)%nat).
Definition turn (q : nat) : nat := snd (nth q system (0, 0)%nat).
Definition live (q : nat) : bool := (q <? size)%nat.
Definition after (q d : nat) : nat :=
  if live q then
    if (d <? top q)%nat then 0%nat else if (d =? top q)%nat then turn q else size
  else size.

Definition grown (l : list Z) : list Z :=
  map (fun e => Z.of_nat (fst e) * nth 0 l 0 + nth (snd e) l 0) system.
(* How many words of length i there are, from each state on. *)
Fixpoint counts (i : nat) : list Z :=
  match i with O => repeat 1 size | S i => grown (counts i) end.
Definition count (i q : nat) : Z := nth q (counts i) 0.
Definition weight (i : nat) : Z := count i 0.

Fixpoint pulled (a : list Z) (rows : list (nat * nat)) : list Z :=
  match a, rows with
  | x :: a, (t, n) :: rows => plus [x * Z.of_nat t] (plus (unit n x) (pulled a rows))
  | _, _ => []
  end.
Definition pull (a : list Z) : list Z := plus (repeat 0 size) (pulled a system).

Lemma dot_pull a i : dot a (counts (S i)) = dot (pull a) (counts i).
Proof.
  unfold pull. rewrite dot_plus, dot_repeat. cbn [counts]. unfold grown.
  generalize (counts i) as l. intros l. revert a.
  induction system as [|[t n] rows IH]; intros [|x a]; cbn [map dot pulled fst snd]; try reflexivity.
  rewrite IH, !dot_plus, dot_unit.
  replace (dot [x * Z.of_nat t] l) with (x * Z.of_nat t * nth 0 l 0); [ring|].
  destruct l as [|y []]; cbn; ring.
Qed.

(* Whether [dot a (counts i) + c] is never negative.  Both sides of [||] and [&&] would be computed,
   here and below: [if] computes one. *)
Fixpoint always (fuel : nat) (a : list Z) (c : Z) : bool :=
  match fuel with
  | O => false
  | S fuel => if 0 <=? dot a (repeat 1 size) + c
    then if forallb (Z.leb 0) a then true else always fuel (pull a) c else false
  end.

Definition is_system : bool :=
  (0 <? size)%nat && (0 <? top 0)%nat && forallb (fun e => snd e <? size)%nat system &&
  forallb (fun q => always 40 (plus (unit 0 1) (unit q (-1))) 0) (seq 0 size).

Hypothesis system_ok : is_system = true.

Lemma size_pos : (0 < size)%nat.
Proof. pose proof system_ok as K. unfold is_system in K. rewrite !andb_true_iff, Nat.ltb_lt in K. tauto. Qed.
Lemma top_pos : (0 < top 0)%nat.
Proof. pose proof system_ok as K. unfold is_system in K. rewrite !andb_true_iff, !Nat.ltb_lt in K. tauto. Qed.
Lemma turn_live q : live q = true -> live (turn q) = true.
Proof.
  pose proof system_ok as K. unfold is_system in K. rewrite !andb_true_iff, (forallb_forall _ system) in K.
  intros L. apply K. apply nth_In. apply Nat.ltb_lt. exact L.
Qed.

Lemma counts_length i : length (counts i) = size.
Proof. destruct i; cbn; [apply repeat_length|unfold grown; apply map_length]. Qed.
Lemma count_S i q : live q = true ->
  count (S i) q = Z.of_nat (top q) * weight i + count i (turn q).
Proof.
  intros L. unfold count, weight, count, top, turn. cbn [counts]. unfold grown.
  apply Nat.ltb_lt in L.
  rewrite (nth_indep _ 0 (Z.of_nat (fst (0,0)%nat) * nth 0 (counts i) 0 + nth (snd (0,0)%nat) (counts i) 0))
    by (rewrite map_length; exact L).
  now rewrite (map_nth (fun e : nat * nat => Z.of_nat (fst e) * nth 0 (counts i) 0 + nth (snd e) (counts i) 0)).
Qed.
Lemma count_pos i q : live q = true -> 1 <= count i q.
Proof.
  revert q. induction i as [|i IH]; intros q L.
  - unfold count. cbn. apply Nat.ltb_lt in L.
    revert q L. generalize size as n. intros n.
    induction n as [|n IHn]; intros [|q] L; cbn; try lia. apply IHn. lia.
  - rewrite count_S by exact L. specialize (IH (turn q) (turn_live q L)) as A.
    assert (B : 1 <= weight i) by (apply IH; unfold live; apply Nat.ltb_lt, size_pos). nia.
Qed.
Lemma weight_pos i : 1 <= weight i.
Proof. apply count_pos. apply Nat.ltb_lt, size_pos. Qed.
Lemma counts_pos i : Forall (fun x => 1 <= x) (counts i).
Proof.
  apply Forall_forall. intros x H. destruct (In_nth _ _ 0 H) as (q & L & <-).
  apply count_pos. apply Nat.ltb_lt. now rewrite counts_length in L.
Qed.
Lemma weight_0 : weight 0 = 1.
Proof. unfold weight, count. cbn. pose proof size_pos. destruct size; [lia|reflexivity]. Qed.
Lemma weight_S i : weight i + 1 <= weight (S i).
Proof.
  assert (L : live 0 = true) by (apply Nat.ltb_lt, size_pos).
  unfold weight at 2. rewrite count_S by exact L.
  pose proof (count_pos i (turn 0) (turn_live 0 L)). pose proof top_pos. pose proof (weight_pos i). nia.
Qed.
Lemma weight_above i : Z.of_nat i < weight i.
Proof. induction i as [|i IH]; [rewrite weight_0; lia|]. pose proof (weight_S i). lia. Qed.
Lemma weight_grows i j : (i <= j)%nat -> weight i <= weight j.
Proof. induction 1; [lia|]. pose proof (weight_S m). lia. Qed.

Lemma always_ok fuel a c : always fuel a c = true -> forall i, 0 <= dot a (counts i) + c.
Proof.
  revert a. induction fuel as [|fuel IH]; intros a; cbn [always]; [discriminate|].
  destruct (Z.leb_spec 0 (dot a (repeat 1 size) + c)) as [H|]; [|discriminate].
  intros D [|i]; [exact H|]. destruct (forallb (Z.leb 0) a) eqn:P.
  - pose proof (dot_least a (counts (S i)) P (counts_pos (S i))) as Q.
    rewrite counts_length in Q. lia.
  - rewrite dot_pull. apply IH, D.
Qed.

Lemma count_most i q : count i q <= weight i.
Proof.
  destruct (live q) eqn:L.
  - pose proof system_ok as K. unfold is_system in K. rewrite !andb_true_iff, !forallb_forall in K.
    destruct K as [_ A]. specialize (A q). cbv beta in A.
    assert (I : In q (seq 0 size)) by (apply in_seq; apply Nat.ltb_lt in L; lia).
    pose proof (always_ok _ _ _ (A I) i) as B. rewrite dot_plus, !dot_unit in B.
    unfold weight, count. lia.
  - unfold count. rewrite nth_overflow.
    + pose proof (weight_pos i). lia.
    + rewrite counts_length. apply Nat.ltb_ge, L.
Qed.

(* A digit and the rest of a number, both ways. *)
Lemma digit_split i q n : live q = true -> 0 <= n < count (S i) q ->
  live (after q (Z.to_nat (n / weight i))) = true /\
  0 <= n mod weight i < count i (after q (Z.to_nat (n / weight i))).
Proof.
  intros L N. rewrite count_S in N by exact L. unfold after. rewrite L.
  pose proof (weight_pos i) as W. pose proof (count_most i (turn q)) as M.
  pose proof (Z.div_mod n (weight i) ltac:(lia)) as D.
  pose proof (Z.mod_pos_bound n (weight i) ltac:(lia)) as B.
  pose proof (Z.div_pos n (weight i) ltac:(lia) ltac:(lia)) as P.
  set (d := n / weight i) in *. set (r := n mod weight i) in *.
  assert (T : d <= Z.of_nat (top q)) by nia.
  destruct (Nat.ltb_spec (Z.to_nat d) (top q)).
  - split; [apply Nat.ltb_lt, size_pos|exact B].
  - destruct (Nat.eqb_spec (Z.to_nat d) (top q)) as [E|]; [|lia].
    split; [now apply turn_live|]. nia.
Qed.
Lemma digit_join i q d r : live (after q d) = true -> 0 <= r < count i (after q d) ->
  0 <= Z.of_nat d * weight i + r < count (S i) q /\
  (Z.of_nat d * weight i + r) / weight i = Z.of_nat d /\
  (Z.of_nat d * weight i + r) mod weight i = r.
Proof.
  intros A R. pose proof (weight_pos i) as W. pose proof (count_most i (after q d)) as M.
  split; [|split].
  - revert A R M. unfold after. destruct (live q) eqn:L; [|unfold live; now rewrite Nat.ltb_irrefl].
    rewrite count_S by exact L. pose proof (count_pos i (turn q) (turn_live q L)).
    destruct (Nat.ltb_spec d (top q)).
    + fold (weight i). nia.
    + destruct (Nat.eqb_spec d (top q)); [|unfold live; now rewrite Nat.ltb_irrefl]. nia.
  - symmetry. apply (Z.div_unique _ _ _ r); lia.
  - symmetry. apply (Z.mod_unique _ _ (Z.of_nat d)); lia.
Qed.

(* ---- 4. Numbers side by side, as columns of digits, the most significant first. ---- *)

Fixpoint columns (i : nat) (env : list Z) : list (list nat) :=
  match i with
  | O => []
  | S i => map (fun n => Z.to_nat (n / weight i)) env
             :: columns i (map (fun n => n mod weight i) env)
  end.
Definition fits (i : nat) (env : list Z) : Prop := Forall (fun n => 0 <= n < weight i) env.
Definition natural (env : list Z) : Prop := Forall (Z.le 0) env.

Definition base : nat := S (list_max (map fst system)).
Fixpoint tuples (p : nat) : list (list nat) :=
  match p with
  | O => [[]]
  | S p => flat_map (fun d => map (cons d) (tuples p)) (seq 0 base)
  end.
Fixpoint afters (vs ds : list nat) : list nat :=
  match vs, ds with v :: vs, d :: ds => after v d :: afters vs ds | _, _ => vs end.

Lemma live_0 : live 0 = true.
Proof. apply Nat.ltb_lt, size_pos. Qed.
Lemma digit_small q d : live (after q d) = true -> (d < base)%nat.
Proof.
  unfold after, base. destruct (live q) eqn:L; [|unfold live; now rewrite Nat.ltb_irrefl].
  assert (T : (top q <= list_max (map fst system))%nat).
  { pose proof (proj1 (list_max_le (map fst system) _) (Nat.le_refl _)) as M.
    rewrite Forall_forall in M. apply M. unfold top. apply (in_map fst). apply nth_In. now apply Nat.ltb_lt. }
  destruct (Nat.ltb_spec d (top q)); [lia|].
  destruct (Nat.eqb_spec d (top q)); [lia|unfold live; now rewrite Nat.ltb_irrefl].
Qed.
Lemma tuples_all ds : Forall (fun d => (d < base)%nat) ds -> In ds (tuples (length ds)).
Proof.
  induction 1 as [|d ds D _ IH]; [now left|]. cbn [tuples length]. apply in_flat_map. exists d. split.
  - apply in_seq. lia.
  - now apply in_map.
Qed.
Lemma tuples_length p ds : In ds (tuples p) -> length ds = p.
Proof.
  revert ds. induction p as [|p IH]; intros ds; cbn [tuples].
  - intros [<-|[]]. reflexivity.
  - rewrite in_flat_map. intros (d & _ & H). apply in_map_iff in H. destruct H as (e & <- & H).
    cbn. f_equal. auto.
Qed.

Lemma columns_small i env : fits i env ->
  Forall (fun c => In c (tuples (length env))) (columns i env).
Proof.
  revert env. induction i as [|i IH]; intros env F; cbn [columns]; constructor.
  - replace (length env) with (length (map (fun n => Z.to_nat (n / weight i)) env))
      by apply map_length.
    apply tuples_all. apply Forall_map. eapply Forall_impl; [|exact F]. intros n N. cbv beta in N.
    apply (digit_small 0). apply digit_split; [apply live_0|exact N].
  - replace (length env) with (length (map (fun n => n mod weight i) env)) by apply map_length.
    apply IH. apply Forall_map. eapply Forall_impl; [|exact F]. intros n _.
    pose proof (weight_pos i). apply Z.mod_pos_bound. lia.
Qed.
Lemma columns_length i env : length (columns i env) = i.
Proof. revert env. induction i as [|i IH]; intros env; cbn; [reflexivity|now rewrite IH]. Qed.

Lemma columns_valid i vs env : Forall2 (fun v n => live v = true /\ 0 <= n < count i v) vs env ->
  forallb live (fold_left afters (columns i env) vs) = true.
Proof.
  revert vs env. induction i as [|i IH]; intros vs env F; cbn [columns fold_left].
  - induction F as [|v n vs env [L _] _ IH]; cbn [forallb]; [reflexivity|].
    now rewrite L.
  - apply IH. clear IH. induction F as [|v n vs env [L N] _ IH]; cbn [map afters]; constructor; [|exact IH].
    now apply digit_split.
Qed.
Lemma valid_0 i env : fits i env ->
  Forall2 (fun v n => live v = true /\ 0 <= n < count i v) (repeat 0%nat (length env)) env.
Proof.
  induction 1 as [|n env N _ IH]; cbn [repeat length]; constructor; [|exact IH]. split; [apply live_0|exact N].
Qed.

Lemma afters_length vs c : length (afters vs c) = length vs.
Proof.
  revert c. induction vs as [|v vs IH]; intros [|d c]; cbn [afters length]; try reflexivity.
  now rewrite IH.
Qed.

(* Columns that keep to the system are those of numbers. *)
Lemma columns_join cs : forall vs, Forall (fun c => length c = length vs) cs ->
  forallb live (fold_left afters cs vs) = true ->
  exists env, Forall2 (fun v n => 0 <= n < count (length cs) v) vs env /\
    columns (length cs) env = cs.
Proof.
  induction cs as [|c cs IH]; intros vs W L; cbn [length fold_left] in *.
  - exists (map (fun _ => 0) vs). split; [|reflexivity].
    rewrite forallb_forall in L. induction vs as [|v vs IHv]; cbn [map]; constructor.
    + pose proof (count_pos 0 v (L v (or_introl eq_refl))). lia.
    + apply IHv; [constructor|]. intros x X. apply L. now right.
  - inversion W as [|? ? Lc Wc]; subst.
    pose proof (afters_length vs c) as A.
    destruct (IH (afters vs c)) as (env & F & C); [now rewrite A|exact L|].
    set (i := length cs) in *. clearbody i.
    exists (map (fun e => Z.of_nat (fst e) * weight i + snd e) (combine c env)).
    clear IH L Wc W A. split.
    + clear C. revert vs env Lc F. induction c as [|d c IH]; intros [|v vs] env E F;
        cbn in E; try discriminate; cbn [afters] in F; inversion F; subst; cbn [combine map fst snd]; constructor.
      * apply digit_join; [|assumption]. destruct (live (after v d)) eqn:L; [reflexivity|].
        unfold count in *. rewrite nth_overflow in *; try lia.
        rewrite counts_length; now apply Nat.ltb_ge.
      * apply IH; auto.
    + cbn [columns]. assert (B : Forall2 (fun d y => 0 <= y < weight i) c env).
      { clear C. revert vs env Lc F. induction c as [|d c IH]; intros [|v vs] env E F; cbn in E;
          try discriminate; cbn [afters] in F; inversion F; subst; constructor.
        - pose proof (count_most i (after v d)). lia.
        - eapply (IH vs); [congruence|eassumption]. }
      clear F Lc. f_equal.
      * clear C. induction B as [|d y c env Y B IH]; cbn [combine map]; [reflexivity|].
        f_equal; [|exact IH]. cbn [fst snd]. rewrite <- (Nat2Z.id d) at 2. f_equal.
        pose proof (weight_pos i). symmetry. apply (Z.div_unique _ _ _ y); lia.
      * rewrite <- C. f_equal. rewrite map_map. clear C.
        induction B as [|d y c env Y B IH]; cbn [combine map]; [reflexivity|].
        f_equal; [|exact IH]. cbn [fst snd]. pose proof (weight_pos i).
        symmetry. apply (Z.mod_unique _ _ (Z.of_nat d)); lia.
Qed.

(* ---- 5. Automata.  A state without an entry is a dead end; state 1 is the first. ---- *)

Inductive row := Go (q : positive) | Read (l : list row).
Fixpoint follow (ds : list nat) (r : row) : positive :=
  match r with
  | Go q => q
  | Read l => match ds with d :: ds => follow ds (nth d l (Go 1)) | [] => 1 end
  end%positive.
Definition automaton := PositiveMap.t (bool * row).
Definition step (A : automaton) (q : positive) (ds : list nat) : positive :=
  match PositiveMap.find q A with Some e => follow ds (snd e) | None => q end.
Definition accepts (A : automaton) (q : positive) : bool :=
  match PositiveMap.find q A with Some e => fst e | None => false end.
Definition alive (A : automaton) (q : positive) : bool := PositiveMap.mem q A.
Definition reads (A : automaton) (cs : list (list nat)) : bool :=
  accepts A (fold_left (step A) cs 1%positive).
Definition quiet (A : automaton) (p : nat) : bool := Pos.eqb (step A 1 (repeat 0%nat p)) 1.

(* A number of digits that is enough. *)
Fixpoint search (fuel i : nat) (l env : list Z) : nat :=
  if forallb (fun n => n <? nth 0 l 0) env then i else
  match fuel with
  | O => Z.to_nat (fold_right Z.max 0 env)
  | S fuel => search fuel (S i) (grown l) env
  end.
Definition enough (env : list Z) : nat :=
  search (Z.to_nat (4 * Z.log2_up (fold_right Z.max 0 env))) 0 (counts 0) env.
Definition recognised (A : automaton) (env : list Z) : bool := reads A (columns (enough env) env).

Lemma dead_stays A w q : alive A q = false -> fold_left (step A) w q = q /\ accepts A q = false.
Proof.
  unfold alive, accepts. rewrite PositiveMap.mem_find.
  destruct (PositiveMap.find q A) eqn:E; [discriminate|]. intros _. split; [|reflexivity].
  induction w as [|x w IH]; cbn [fold_left]; [reflexivity|]. unfold step at 2. now rewrite E.
Qed.

Lemma enough_fits env : natural env -> fits (enough env) env.
Proof.
  intros N. unfold enough. generalize (Z.to_nat (4 * Z.log2_up (fold_right Z.max 0 env))) as fuel.
  intros fuel. generalize 0%nat as i.
  induction fuel as [|fuel IH]; intros i; cbn [search].
  all: destruct (forallb _ env) eqn:F; try (rewrite forallb_forall in F; apply Forall_forall;
    intros n I; split; [exact (proj1 (Forall_forall _ _) N n I)|apply Z.ltb_lt; now apply F]).
  - clear F. apply Forall_forall. intros n I. pose proof (proj1 (Forall_forall _ _) N n I) as P.
    cbv beta in P. assert (M : n <= fold_right Z.max 0 env).
    { clear - I. induction env as [|m env IH]; [destruct I|].
      destruct I as [<-|I]; cbn [fold_right]; [lia|].
      specialize (IH I). lia. }
    pose proof (weight_above (Z.to_nat (fold_right Z.max 0 env))). lia.
  - change (grown (counts i)) with (counts (S i)). apply IH.
Qed.
Lemma fits_more i j env : (i <= j)%nat -> fits i env -> fits j env.
Proof.
  intros L. apply Forall_impl. intros n. pose proof (weight_grows i j L). lia.
Qed.
Lemma columns_S i env : fits i env -> columns (S i) env = repeat 0%nat (length env) :: columns i env.
Proof.
  intros F. cbn [columns]. f_equal.
  - induction F as [|n env B _ IH]; cbn [map length repeat]; [reflexivity|].
    rewrite Z.div_small by exact B. now f_equal.
  - f_equal. induction F as [|n env B _ IH]; cbn [map]; [reflexivity|].
    rewrite Z.mod_small by exact B. now f_equal.
Qed.
Lemma columns_more j i env : fits i env ->
  columns (j + i) env = repeat (repeat 0%nat (length env)) j ++ columns i env.
Proof.
  intros F. induction j as [|j IH]; [reflexivity|]. cbn [Nat.add repeat app]. rewrite <- IH.
  apply columns_S. apply (fits_more i); [lia|exact F].
Qed.
Lemma reads_more A j i env : quiet A (length env) = true -> fits i env ->
  reads A (columns (j + i) env) = reads A (columns i env).
Proof.
  intros Q F. rewrite columns_more by exact F. unfold reads. rewrite fold_left_app. do 2 f_equal.
  apply Pos.eqb_eq in Q. induction j as [|j IH]; cbn [repeat fold_left]; [reflexivity|]. now rewrite Q.
Qed.
Lemma recognised_at A i env : quiet A (length env) = true -> natural env -> fits i env ->
  recognised A env = reads A (columns i env).
Proof.
  intros Q N F. unfold recognised. pose proof (enough_fits env N) as E.
  rewrite <- (reads_more A i (enough env) env Q E), Nat.add_comm. now apply reads_more.
Qed.

(* ---- 6. Linear equations and inequalities as automata. ----
   A state is a vector: what the digits read so far are worth, in numbers of words to come. *)

Fixpoint eqv (a b : list Z) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y) && eqv a b
  | _, _ => false
  end.
Lemma eqv_eq a b : eqv a b = true -> a = b.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; [reflexivity|].
  rewrite andb_true_iff, Z.eqb_eq. intros [-> H]. now rewrite (IH b H).
Qed.

(* A number added to a key. *)
Fixpoint mixed (h q : positive) : positive :=
  match q with xH => h~0 | xO q => mixed (h~0~1) q | xI q => mixed (h~1~1) q end%positive.
Definition key_vector (s : list Z) : positive :=
  fold_left (fun h x => mixed h (match x with Z0 => 1 | Zpos p => p~0 | Zneg p => p~1 end)) s 1%positive.

Section Linear.
Variables (equal : bool) (coefs : list Z) (c : Z).
Definition relation (x : Z) : Prop := if equal then x = c else x <= c.
Definition related (x : Z) : bool := if equal then x =? c else x <=? c.
Definition negatives : Z := fold_right (fun k s => Z.max 0 (- k) + s) 0 coefs.
Definition positives : Z := fold_right (fun k s => Z.max 0 k + s) 0 coefs.
(* Whatever follows, the sum stays above [c], or below it. *)
Definition above (s : list Z) : bool := always 40 (plus s (unit 0 (- negatives))) (negatives - c - 1).
Definition below (s : list Z) : bool :=
  always 40 (plus (scale (-1) s) (unit 0 (- positives))) (positives + c - 1).
Definition worth (ds : list nat) : Z := dot coefs (map Z.of_nat ds).
Definition moved (s : list Z) (v : Z) : list Z := plus (pull s) [v].
(* All columns, by what they are worth: those of a group lead to the same state. *)
Definition groups : list (Z * list (list nat)) :=
  let all := map (fun ds => (worth ds, ds)) (tuples (length coefs)) in
  map (fun v => (v, map snd (filter (fun e => fst e =? v) all))) (nodup Z.eq_dec (map fst all)).
Lemma groups_all ds : In ds (tuples (length coefs)) -> exists l, In (worth ds, l) groups /\ In ds l.
Proof.
  intros T. unfold groups. set (all := map _ (tuples _)).
  assert (A : In (worth ds, ds) all) by exact (in_map (fun ds => (worth ds, ds)) _ _ T).
  eexists. split.
  - apply (in_map (fun v => (v, map snd (filter (fun e => fst e =? v) all)))). apply nodup_In.
    exact (in_map fst _ _ A).
  - apply (in_map snd _ (worth ds, ds)). apply filter_In. split; [exact A|apply Z.eqb_refl].
Qed.

Definition vectors := PositiveMap.t (list Z).
Definition target_ok (A : automaton) (V : vectors) (t : positive) (s : list Z) : bool :=
  match PositiveMap.find t V with
  | Some s' => eqv s' s
  | None => match PositiveMap.find t A with
    | None => above s || equal && below s
    | Some (a, Go t') => a && negb equal && Pos.eqb t t' && below s
    | _ => false
    end
  end.
Definition group_ok (A : automaton) (V : vectors) (r : row) (s : list Z) (l : list (list nat)) : bool :=
  match l with
  | [] => true
  | ds :: l => let t := follow ds r in
      target_ok A V t s && forallb (fun ds => Pos.eqb (follow ds r) t) l
  end.
Lemma group_follows A V r s l : group_ok A V r s l = true ->
  forall ds, In ds l -> target_ok A V (follow ds r) s = true.
Proof.
  destruct l as [|d l]; intros G ds I; [destruct I|]. cbn [group_ok] in G. cbv zeta in G.
  rewrite andb_true_iff, forallb_forall in G. destruct G as [G H].
  destruct I as [<-|I]; [exact G|]. specialize (H ds I). apply Pos.eqb_eq in H. now rewrite H.
Qed.
Definition linear_ok (A : automaton) (V : vectors) : bool :=
  let gs := groups in
  match PositiveMap.find 1%positive V with Some s => eqv s (repeat 0 size) | None => false end &&
  forallb (fun e => match PositiveMap.find (fst e) A with
    | None => false
    | Some (a, r) => eqb a (related (dot (snd e) (repeat 1 size))) &&
        forallb (fun g => group_ok A V r (moved (snd e) (fst g)) (snd g)) gs
    end) (PositiveMap.elements V).

Lemma relation_related x : related x = true <-> relation x.
Proof. unfold related, relation. destruct equal; [apply Z.eqb_eq|apply Z.leb_le]. Qed.

Lemma rest_bounds i env : length env = length coefs -> fits i env ->
  - negatives * (weight i - 1) <= dot coefs env <= positives * (weight i - 1).
Proof.
  intros L F. unfold negatives, positives. pose proof (weight_pos i). revert env L F.
  induction coefs as [|k ks IH]; intros [|n env] L F; cbn [dot fold_right length] in *; try lia.
  inversion F as [|? ? B F']; subst. specialize (IH env ltac:(lia) F').
  set (N := fold_right (fun k s => Z.max 0 (- k) + s) 0 ks) in *.
  set (P := fold_right (fun k s => Z.max 0 k + s) 0 ks) in *.
  assert (- Z.max 0 (- k) * (weight i - 1) <= k * n <= Z.max 0 k * (weight i - 1)) by nia. nia.
Qed.
Lemma above_ok s i env : above s = true -> length env = length coefs -> fits i env ->
  c < dot s (counts i) + dot coefs env.
Proof.
  intros A L F. pose proof (always_ok _ _ _ A i) as H. rewrite dot_plus, dot_unit in H.
  change (nth 0 (counts i) 0) with (weight i) in H. pose proof (rest_bounds i env L F). nia.
Qed.
Lemma below_ok s i env : below s = true -> length env = length coefs -> fits i env ->
  dot s (counts i) + dot coefs env < c.
Proof.
  intros A L F. pose proof (always_ok _ _ _ A i) as H. rewrite dot_plus, dot_unit, dot_scale in H.
  change (nth 0 (counts i) 0) with (weight i) in H. pose proof (rest_bounds i env L F). nia.
Qed.
Lemma moved_ok s i env : fits (S i) env ->
  dot s (counts (S i)) + dot coefs env =
  dot (moved s (worth (map (fun n => Z.to_nat (n / weight i)) env))) (counts i) +
    dot coefs (map (fun n => n mod weight i) env).
Proof.
  intros F. unfold moved, worth. rewrite dot_pull, dot_plus. change [?x] with (unit 0 x).
  rewrite (dot_unit 0). change (nth 0 (counts i) 0) with (weight i).
  enough (E : dot coefs env = dot coefs (map Z.of_nat (map (fun n => Z.to_nat (n / weight i)) env)) *
    weight i + dot coefs (map (fun n => n mod weight i) env)) by lia.
  pose proof (weight_pos i) as W. revert env F.
  induction coefs as [|k ks IH]; intros [|n env] F; cbn [dot map]; try lia.
  inversion F as [|? ? B F']; subst. rewrite (IH env F') at 1.
  rewrite Z2Nat.id by (apply Z.div_pos; lia).
  rewrite (Z.div_mod n (weight i)) at 1 by lia. ring.
Qed.

Lemma linear_run A V : linear_ok A V = true -> forall i env q s,
  PositiveMap.find q V = Some s -> length env = length coefs -> fits i env ->
  (accepts A (fold_left (step A) (columns i env) q) = true <->
   relation (dot s (counts i) + dot coefs env)).
Proof.
  unfold linear_ok. cbv zeta. rewrite andb_true_iff. intros [_ C]. rewrite forallb_forall in C.
  assert (C' : forall q s, PositiveMap.find q V = Some s -> exists a r,
    PositiveMap.find q A = Some (a, r) /\ a = related (dot s (repeat 1 size)) /\
    forall ds, In ds (tuples (length coefs)) -> target_ok A V (follow ds r) (moved s (worth ds)) = true).
  { intros q s E. specialize (C _ (PositiveMap.elements_correct _ _ E)). cbn [fst snd] in C.
    destruct (PositiveMap.find q A) as [[a r]|]; [|discriminate].
    rewrite andb_true_iff, eqb_true_iff, forallb_forall in C. destruct C as [-> C].
    exists (related (dot s (repeat 1 size))), r. repeat split. intros ds T.
    destruct (groups_all ds T) as (l & G & I). exact (group_follows _ _ _ _ _ (C _ G) ds I). }
  clear C. induction i as [|i IH]; intros env q s E L F.
  - cbn [columns fold_left counts]. destruct (C' q s E) as (a & r & Ea & -> & _).
    unfold accepts. rewrite Ea. cbn [fst]. rewrite relation_related.
    replace (dot coefs env) with 0; [now rewrite Z.add_0_r|].
    clear - F system_ok. revert env F. induction coefs as [|k ks IH]; intros [|n env] F; cbn [dot]; try reflexivity.
    inversion F as [|? ? B F']; subst. rewrite <- (IH env F'). rewrite weight_0 in B.
    replace n with 0 by lia. lia.
  - pose proof (columns_small (S i) env F) as T. cbn [columns] in T. inversion T as [|? ? T1 _]; subst.
    rewrite moved_ok by exact F. cbn [columns fold_left].
    set (ds := map (fun n => Z.to_nat (n / weight i)) env) in *.
    set (env' := map (fun n => n mod weight i) env).
    assert (F' : fits i env').
    { apply Forall_map. eapply Forall_impl; [|exact F]. intros n _. pose proof (weight_pos i).
      apply Z.mod_pos_bound. lia. }
    assert (L' : length env' = length coefs) by (unfold env'; now rewrite map_length).
    destruct (C' q s E) as (a & r & Ea & _ & Ct). rewrite L in T1. specialize (Ct ds T1).
    unfold step at 2. rewrite Ea. cbn [snd]. unfold target_ok in Ct.
    set (t := follow ds r) in *. set (s' := moved s (worth ds)) in *.
    destruct (PositiveMap.find t V) as [s''|] eqn:Et.
    + apply eqv_eq in Ct. subst s''. now apply IH.
    + destruct (PositiveMap.find t A) as [[b [t'|]]|] eqn:At; [|discriminate|].
      * rewrite !andb_true_iff in Ct. destruct Ct as [[[Hb He] Ht] Hs]. apply Pos.eqb_eq in Ht. subst t'.
        assert (St : forall w, fold_left (step A) w t = t).
        { induction w as [|x w IHw]; cbn [fold_left]; [reflexivity|].
          unfold step at 2. rewrite At. cbn [snd follow]. destruct x; exact IHw. }
        rewrite St. unfold accepts. rewrite At. cbn [fst]. pose proof (below_ok s' i env' Hs L' F').
        unfold relation. destruct equal; [discriminate|]. split; [lia|now intros _].
      * destruct (dead_stays A (columns i env') t) as [D1 D2].
        { unfold alive. now rewrite PositiveMap.mem_find, At. }
        rewrite D1, D2. split; [discriminate|]. intros R. exfalso. revert R. unfold relation.
        apply orb_true_iff in Ct. destruct Ct as [Ct|Ct].
        -- pose proof (above_ok s' i env' Ct L' F'). destruct equal; lia.
        -- apply andb_true_iff in Ct. destruct Ct as [-> Ct].
           pose proof (below_ok s' i env' Ct L' F'). lia.
Qed.

(* The automaton: vectors are numbered as they are found.  Nothing is claimed of it: [linear_ok]
   looks at what comes out. *)
Definition outcome (s : list Z) : option bool :=  (* whether it is a sink that accepts; None: open *)
  if above s then Some false else if below s then Some (negb equal) else None.
Definition numbers := PositiveMap.t positive.
Fixpoint fresh (s : list Z) (vs : list Z) (found : numbers * positive) : numbers * positive * list (list Z) :=
  match vs with
  | [] => (found, [])
  | v :: vs => let t := moved s v in
      if PositiveMap.mem (key_vector t) (fst found) then fresh s vs found else
      match outcome t with Some _ => fresh s vs found | None =>
        let (found, new) := fresh s vs
          (PositiveMap.add (key_vector t) (snd found) (fst found), Pos.succ (snd found)) in
        (found, t :: new)
      end
  end.
Fixpoint gather (fuel : nat) (vs : list Z) (found : numbers * positive) (todo : list (list Z)) :=
  match fuel, todo with
  | S fuel, s :: todo =>
      let (found, new) := fresh s vs found in
      let (found, all) := gather fuel vs found (todo ++ new) in (found, s :: all)
  | _, _ => (found, todo)
  end.
Definition is_go (q : positive) (r : row) : bool := match r with Go p => Pos.eqb p q | _ => false end.
Definition joined (l : list row) : row :=
  match l with Go q :: l' => if forallb (is_go q) l' then Go q else Read l | _ => Read l end.
(* The sums of a digit for each of the first coefficients, and so on for more of them. *)
Fixpoint sums_of (ks : list Z) (sums : list Z) : list (list Z) :=
  sums :: match ks with
  | [] => []
  | k :: ks => sums_of ks (nodup Z.eq_dec
      (flat_map (fun v => map (fun d => v + k * Z.of_nat d) (seq 0 base)) sums))
  end.
(* The row after each sum; all that leads to the same sum shares it. *)
Fixpoint rows_of (ks : list Z) (levels : list (list Z)) (f : Z -> positive) : PositiveMap.t row :=
  match levels with
  | [] => PositiveMap.empty _
  | sums :: levels =>
      let after := match ks with
        | [] => fun v => Go (f v)
        | k :: ks =>
            let next := rows_of ks levels f in
            fun v => joined (map (fun d => match PositiveMap.find (key_vector [v + k * Z.of_nat d]) next with
              | Some r => r
              | None => Go 1
              end) (seq 0 base))
        end in
      fold_left (fun m v => PositiveMap.add (key_vector [v]) (after v) m) sums (PositiveMap.empty _)
  end.
Fixpoint numbered {B} (p : positive) (l : list B) : PositiveMap.t B :=
  match l with [] => PositiveMap.empty B | x :: l => PositiveMap.add p x (numbered (Pos.succ p) l) end.
Definition linear_automaton : automaton * vectors :=
  let levels := sums_of coefs [0] in
  let vs := last levels [] in
  let zeros := repeat 0 size in
  let first := PositiveMap.add (key_vector zeros) 1%positive (PositiveMap.empty _) in
  let (found, all) := gather 5000 vs (first, 2%positive) [zeros] in
  let yes := snd found in
  let no := Pos.succ yes in
  (* Zeros lead from the first state to itself, also where all that follows is decided. *)
  let target t := match PositiveMap.find (key_vector t) (fst found) with
    | Some q => q
    | None => match outcome t with Some true => yes | _ => no end
    end in
  let row s :=
    match PositiveMap.find (key_vector [0]) (rows_of coefs levels (fun v => target (moved s v))) with
    | Some r => r
    | None => Go no
    end in
  (numbered 1 (map (fun s => (related (dot s (repeat 1 size)), row s)) all ++ [(true, Go yes)]),
   numbered 1 all).
End Linear.

(* ---- 7. Formulas over parts: what they cannot be, and what follows. ---- *)

Inductive atom := Lin (equal : bool) (coefs : list Z) (c : Z) | Known (A : automaton).
Definition means (a : atom) (env : list Z) : Prop :=
  match a with
  | Lin equal coefs c => if equal then dot coefs env = c else dot coefs env <= c
  | Known A => recognised A env = true
  end.
Definition part := (atom * (automaton * vectors))%type.
Definition part_ok (x : part) : bool :=
  match x with
  | (Lin equal coefs c, (A, V)) => linear_ok equal coefs c A V
  | (Known _, _) => true
  end.
Definition machine (x : part) : automaton :=
  match x with (Known A, _) => A | (_, (A, _)) => A end.

Variable parts : list part.
Definition nothing : part := (Known (PositiveMap.empty _), (PositiveMap.empty _, PositiveMap.empty _)).
Definition the (k : nat) : part := nth k parts nothing.
Definition auto (k : nat) : automaton := machine (the k).
Definition parts_ok : bool := forallb part_ok parts.
Hypothesis parts_right : parts_ok = true.

(* Whether part [k] reads that many numbers. *)
Definition suits (k p : nat) : bool :=
  quiet (auto k) p && match fst (the k) with Lin _ coefs _ => (length coefs =? p)%nat | _ => true end.

Lemma auto_ok k env i : suits k (length env) = true -> natural env -> fits i env ->
  (reads (auto k) (columns i env) = true <-> means (fst (the k)) env).
Proof.
  unfold suits. rewrite andb_true_iff. intros [Q S] N F.
  rewrite <- (recognised_at _ i env Q N F).
  assert (K : part_ok (the k) = true).
  { unfold the. destruct (Nat.lt_ge_cases k (length parts)) as [L|L].
    - unfold parts_ok in parts_right. rewrite forallb_forall in parts_right.
      apply parts_right. now apply nth_In.
    - now rewrite nth_overflow. }
  unfold auto, machine in *. destruct (the k) as [[equal coefs c|A] [B V]]; cbn [fst means] in *; [|tauto].
  apply Nat.eqb_eq in S. unfold recognised.
  pose proof (enough_fits env N) as E. cbn [part_ok] in K.
  assert (V1 : PositiveMap.find 1%positive V = Some (repeat 0 size)).
  { unfold linear_ok in K. apply andb_true_iff in K. destruct K as [K _].
    destruct (PositiveMap.find 1%positive V) as [s|]; [|discriminate]. f_equal. now apply eqv_eq. }
  unfold reads. rewrite (linear_run equal coefs c B V K _ env _ _ V1 (eq_sym S) E).
  rewrite dot_repeat. reflexivity.
Qed.

Definition pick (env : list Z) (tracks : list nat) : list Z := map (fun t => nth t env 0) tracks.
Definition picked (ds tracks : list nat) : list nat := map (fun t => nth t ds 0%nat) tracks.
Lemma columns_pick i env tracks :
  columns i (pick env tracks) = map (fun ds => picked ds tracks) (columns i env).
Proof.
  revert env. induction i as [|i IH]; intros env; cbn [columns map]; [reflexivity|].
  pose proof (weight_pos i) as W. f_equal.
  - unfold pick, picked. rewrite map_map. apply map_ext. intros t.
    rewrite <- (map_nth (fun n => Z.to_nat (n / weight i))). reflexivity.
  - rewrite <- IH. f_equal. unfold pick. rewrite map_map. apply map_ext. intros t.
    rewrite <- (map_nth (fun n => n mod weight i)). reflexivity.
Qed.
Lemma nth_natural env t : natural env -> 0 <= nth t env 0.
Proof.
  intros N. destruct (Nat.lt_ge_cases t (length env)) as [L|L].
  - exact (proj1 (Forall_forall _ _) N _ (nth_In env 0 L)).
  - rewrite nth_overflow by exact L. lia.
Qed.
Lemma nth_fits i env t : fits i env -> 0 <= nth t env 0 < weight i.
Proof.
  intros N. destruct (Nat.lt_ge_cases t (length env)) as [L|L].
  - exact (proj1 (Forall_forall _ _) N _ (nth_In env 0 L)).
  - rewrite nth_overflow by exact L. pose proof (weight_pos i). lia.
Qed.
Lemma pick_natural env tracks : natural env -> natural (pick env tracks).
Proof. intros N. apply Forall_map. apply Forall_forall. intros t _. now apply nth_natural. Qed.
Lemma pick_fits i env tracks : fits i env -> fits i (pick env tracks).
Proof. intros N. apply Forall_map. apply Forall_forall. intros t _. now apply nth_fits. Qed.

Inductive form :=
| Yes (k : nat) (tracks : list nat) | No (k : nat) (tracks : list nat)
| Both (f g : form) | Either (f g : form).
Fixpoint holds (f : form) (env : list Z) : Prop :=
  match f with
  | Yes k tracks => means (fst (the k)) (pick env tracks)
  | No k tracks => ~ means (fst (the k)) (pick env tracks)
  | Both f g => holds f env /\ holds g env
  | Either f g => holds f env \/ holds g env
  end.
Fixpoint formed (f : form) : bool :=
  match f with
  | Yes k tracks | No k tracks => suits k (length tracks)
  | Both f g | Either f g => formed f && formed g
  end.
Inductive tree := Leaf (q : positive) | Pair (l r : tree).
Fixpoint first (f : form) : tree :=
  match f with Both f g | Either f g => Pair (first f) (first g) | _ => Leaf 1 end.
(* An automaton that accepts whatever follows. *)
Definition sink (A : automaton) (q : positive) : bool :=
  match PositiveMap.find q A with Some (true, Go p) => Pos.eqb p q | _ => false end.
(* What can never hold any more, and what always will, is a single leaf: 1, and 2. *)
Definition gone (f : form) (t : tree) : bool :=
  match f, t with
  | Yes k _, Leaf q => negb (alive (auto k) q)
  | No k _, Leaf q => sink (auto k) q
  | _, Leaf q => negb (Pos.eqb q 2)
  | Yes _ _, Pair _ _ | No _ _, Pair _ _ => true
  | _, Pair _ _ => false
  end.
Definition sure (f : form) (t : tree) : bool :=
  match f, t with
  | Yes k _, Leaf q => sink (auto k) q
  | No k _, Leaf q => negb (alive (auto k) q)
  | _, Leaf q => Pos.eqb q 2
  | _, Pair _ _ => false
  end.
Definition may (f : form) (t : tree) : bool := negb (gone f t).
Fixpoint move (f : form) (t : tree) (ds : list nat) : tree :=
  match f, t with
  | Yes k tracks, Leaf q | No k tracks, Leaf q => Leaf (step (auto k) q (picked ds tracks))
  | Both f g, Pair l r =>
      let l := move f l ds in if gone f l then Leaf 1 else
      let r := move g r ds in if gone g r then Leaf 1 else
      if sure f l && sure g r then Leaf 2 else Pair l r
  | Either f g, Pair l r =>
      let l := move f l ds in if sure f l then Leaf 2 else
      let r := move g r ds in if sure g r then Leaf 2 else
      if gone f l && gone g r then Leaf 1 else Pair l r
  | _, _ => t
  end.
Fixpoint truth (f : form) (t : tree) : bool :=
  match f, t with
  | Yes k _, Leaf q => accepts (auto k) q
  | No k _, Leaf q => negb (accepts (auto k) q)
  | Both f g, Pair l r => truth f l && truth g r
  | Either f g, Pair l r => truth f l || truth g r
  | Yes _ _, Pair _ _ | No _ _, Pair _ _ => false
  | _, Leaf q => Pos.eqb q 2
  end.

(* Whether [f] holds at the end of the columns, from where [t] is. *)
Fixpoint later (f : form) (t : tree) (w : list (list nat)) : bool :=
  match f, t with
  | Yes k tracks, Leaf q => accepts (auto k) (fold_left (fun q ds => step (auto k) q (picked ds tracks)) w q)
  | No k tracks, Leaf q => negb (accepts (auto k) (fold_left (fun q ds => step (auto k) q (picked ds tracks)) w q))
  | Both f g, Pair l r => later f l w && later g r w
  | Either f g, Pair l r => later f l w || later g r w
  | Yes _ _, Pair _ _ | No _ _, Pair _ _ => false
  | _, Leaf q => Pos.eqb q 2
  end.
Lemma sink_stays k tracks w q : sink (auto k) q = true ->
  accepts (auto k) (fold_left (fun q ds => step (auto k) q (picked ds tracks)) w q) = true.
Proof.
  unfold sink. destruct (PositiveMap.find q (auto k)) as [[[|] [p|l]]|] eqn:E; try discriminate.
  intros S. apply Pos.eqb_eq in S. subst p.
  induction w as [|x w IH]; cbn [fold_left].
  { unfold accepts. rewrite E. reflexivity. }
  replace (step (auto k) q (picked x tracks)) with q; [exact IH|].
  unfold step. rewrite E. now destruct (picked x tracks).
Qed.
Lemma not_alive k tracks w q : alive (auto k) q = false ->
  accepts (auto k) (fold_left (fun q ds => step (auto k) q (picked ds tracks)) w q) = false.
Proof.
  intros D. replace (fold_left _ w q) with (fold_left (step (auto k)) (map (fun ds => picked ds tracks) w) q).
  - now destruct (dead_stays (auto k) (map (fun ds => picked ds tracks) w) q D) as [-> ->].
  - clear D. revert q. induction w as [|x w IH]; intros q; cbn; auto.
Qed.
Lemma gone_later f t w : gone f t = true -> later f t w = false.
Proof.
  destruct f, t; cbn [gone later]; intros G; try reflexivity; try discriminate.
  - apply negb_true_iff in G. now apply not_alive.
  - apply negb_false_iff. now apply sink_stays.
  - now apply negb_true_iff in G.
  - now apply negb_true_iff in G.
Qed.
Lemma sure_later f t w : sure f t = true -> later f t w = true.
Proof.
  destruct f, t; cbn [sure later]; intros G; try discriminate; try exact G.
  - now apply sink_stays.
  - apply negb_true_iff in G. apply negb_true_iff. now apply not_alive.
Qed.
Lemma move_later f : forall t x w, later f (move f t x) w = later f t (x :: w).
Proof.
  induction f as [k tracks|k tracks|f IHf g IHg|f IHf g IHg]; intros [q|l r] x w; try reflexivity.
  - cbn [move later]. rewrite <- (IHf l x w), <- (IHg r x w).
    destruct (gone f (move f l x)) eqn:A; [now rewrite (gone_later f _ w A)|].
    destruct (gone g (move g r x)) eqn:B; [rewrite (gone_later g _ w B); now rewrite andb_false_r|].
    destruct (sure f (move f l x) && sure g (move g r x)) eqn:S; [|reflexivity].
    apply andb_true_iff in S. now rewrite (sure_later f _ w (proj1 S)), (sure_later g _ w (proj2 S)).
  - cbn [move later]. rewrite <- (IHf l x w), <- (IHg r x w).
    destruct (sure f (move f l x)) eqn:A; [now rewrite (sure_later f _ w A)|].
    destruct (sure g (move g r x)) eqn:B; [rewrite (sure_later g _ w B); now rewrite orb_true_r|].
    destruct (gone f (move f l x) && gone g (move g r x)) eqn:S; [|reflexivity].
    apply andb_true_iff in S. now rewrite (gone_later f _ w (proj1 S)), (gone_later g _ w (proj2 S)).
Qed.
Lemma truth_later f w : forall t, truth f (fold_left (move f) w t) = later f t w.
Proof.
  induction w as [|x w IH]; intros t; cbn [fold_left].
  - revert t. induction f as [k tracks|k tracks|f IHf g IHg|f IHf g IHg]; intros [q|l r];
      cbn [truth later fold_left]; try reflexivity; now rewrite IHf, IHg.
  - now rewrite IH, move_later.
Qed.

Lemma truth_holds f i env : formed f = true -> natural env -> fits i env ->
  (truth f (fold_left (move f) (columns i env) (first f)) = true <-> holds f env).
Proof.
  intros W N F. revert W. rewrite truth_later.
  assert (L : forall k tracks, suits k (length tracks) = true ->
    (accepts (auto k) (fold_left (fun q ds => step (auto k) q (picked ds tracks)) (columns i env) 1%positive)
       = true <-> means (fst (the k)) (pick env tracks))).
  { intros k tracks S. rewrite <- (auto_ok k (pick env tracks) i).
    - unfold reads. rewrite columns_pick.
      replace (fold_left (step (auto k)) (map (fun ds => picked ds tracks) (columns i env)) 1%positive)
        with (fold_left (fun q ds => step (auto k) q (picked ds tracks)) (columns i env) 1%positive); [tauto|].
      generalize 1%positive as q. induction (columns i env) as [|x w IH]; intros q; cbn; auto.
    - unfold pick. now rewrite map_length.
    - now apply pick_natural.
    - now apply pick_fits. }
  induction f as [k tracks|k tracks|f IHf g IHg|f IHf g IHg]; intros W; cbn [first holds formed later] in *.
  - apply L, W.
  - rewrite negb_true_iff, <- (L k tracks W). destruct (accepts _ _); intuition congruence.
  - apply andb_true_iff in W. rewrite andb_true_iff, IHf, IHg; tauto.
  - apply andb_true_iff in W. rewrite orb_true_iff, IHf, IHg; tauto.
Qed.
Lemma may_stays f w t : may f t = false -> truth f (fold_left (move f) w t) = false.
Proof. intros M. apply negb_false_iff in M. rewrite truth_later. now apply gone_later. Qed.

Fixpoint eqt (s t : tree) : bool :=
  match s, t with
  | Leaf p, Leaf q => Pos.eqb p q
  | Pair a b, Pair c d => eqt a c && eqt b d
  | _, _ => false
  end.
Lemma eqt_eq s t : eqt s t = true -> s = t.
Proof.
  revert t. induction s as [p|a IHa b IHb]; intros [q|c d]; cbn; try discriminate.
  - now intros ->%Pos.eqb_eq.
  - rewrite andb_true_iff. intros [H1 H2]. f_equal; auto.
Qed.
Fixpoint eqn (a b : list nat) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y)%nat && eqn a b
  | _, _ => false
  end.
Lemma eqn_eq a b : eqn a b = true -> a = b.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; [reflexivity|].
  rewrite andb_true_iff, Nat.eqb_eq. intros [-> H]. now rewrite (IH b H).
Qed.

(* A key need not be faithful: [never] compares the states as well. *)
Fixpoint key_tree (h : positive) (t : tree) : positive :=
  match t with Leaf q => mixed h (Pos.succ q) | Pair l r => key_tree (key_tree h~0 l) r end%positive.
Definition key_list (h : positive) (l : list nat) : positive :=
  fold_left (fun h v => mixed h (Pos.of_succ_nat v)) l h.

Definition valid (vs : list nat) : bool := forallb live vs.

(* The columns to look at, found digit by digit: those that keep to the system, and after which each
   part of a conjunction may still hold.  [levels] are these parts, by the last digit they read. *)
Definition demand : Type := form * tree.
Fixpoint demands (f : form) (t : tree) : list demand :=
  match f, t with
  | Both f g, Pair l r => demands f l ++ demands g r
  | Both _ _, Leaf _ => []
  | _, _ => [(f, t)]
  end.
Definition open (x : list nat) (l : demand) : bool := may (fst l) (move (fst l) (snd l) x).
Fixpoint last_read (f : form) : nat :=
  match f with
  | Yes _ tracks | No _ tracks => list_max tracks
  | Both f g | Either f g => Nat.max (last_read f) (last_read g)
  end.
Definition reads_last (i : nat) (l : demand) : bool := (last_read (fst l) =? i)%nat.
Fixpoint extended (levels : list (list demand)) (x vs : list nat) : list (list nat) :=
  match levels with
  | [] => [x]
  | l :: levels => flat_map (fun d => let y := x ++ [d] in
      if forallb (open y) l then extended levels y (tl vs) else [])
      (match vs with v :: _ => seq 0 (S (top v)) | [] => seq 0 base end)
  end.
Definition allowed (p : nat) (f : form) (s : tree * list nat) : list (list nat) :=
  let ds := demands f (fst s) in
  extended (map (fun i => filter (reads_last i) ds) (seq 0 p)) [] (snd s).

Lemma demands_gone f x l : forall t, In l (demands f t) -> open x l = false ->
  gone f (move f t x) = true.
Proof.
  induction f as [k tracks|k tracks|f IHf g IHg|f IHf g IHg]; intros [q|a b] I O.
  all: try (destruct I as [<-|[]]; now apply negb_false_iff).
  - destruct I.
  - cbn [demands] in I. apply in_app_iff in I. cbn [move]. destruct I as [I|I].
    + now rewrite (IHf a I O).
    + rewrite (IHg b I O). now destruct (gone f _).
Qed.
Lemma move_prefix f r x : forall t, (last_read f < length x)%nat -> move f t (x ++ r) = move f t x.
Proof.
  assert (P : forall tracks, (list_max tracks < length x)%nat -> picked (x ++ r) tracks = picked x tracks).
  { intros tracks L. apply map_ext_in. intros t T. apply app_nth1.
    pose proof (proj1 (list_max_le tracks _) (Nat.le_refl _)) as M.
    rewrite Forall_forall in M. specialize (M t T). lia. }
  induction f as [k tracks|k tracks|f IHf g IHg|f IHf g IHg]; intros [q|a b] L;
    cbn [last_read move] in *; rewrite ?P by exact L; try reflexivity.
  all: now rewrite IHf, IHg by lia.
Qed.
Lemma extended_all n : forall levels x vs r, length levels = n -> In r (tuples n) ->
  (forall i l, In l (nth i levels []) -> reads_last (length x + i) l = true) ->
  In (x ++ r) (extended levels x vs) \/ valid (afters vs r) = false \/
  exists l, In l (concat levels) /\ open (x ++ r) l = false.
Proof.
  induction n as [|n IH]; intros [|ls levels] x vs r E I R; try discriminate.
  { destruct I as [<-|[]]. left. rewrite app_nil_r. now left. }
  cbn [tuples] in I. apply in_flat_map in I. destruct I as (d & B & I). apply in_map_iff in I.
  destruct I as (r' & <- & I). cbn [extended concat]. injection E as E.
  assert (D : In d (match vs with v :: _ => seq 0 (S (top v)) | [] => seq 0 base end) \/
    valid (afters vs (d :: r')) = false).
  { destruct vs as [|v vs]; [now left|]. destruct (Nat.le_gt_cases d (top v)) as [L|L].
    - left. apply in_seq. lia.
    - right. cbn [afters valid forallb]. apply andb_false_iff. left. unfold after, live.
      destruct (Nat.ltb_spec d (top v)); [lia|]. destruct (Nat.eqb_spec d (top v)); [lia|].
      destruct (v <? size)%nat; apply Nat.ltb_irrefl. }
  destruct D as [D|D]; [|right; now left].
  replace (x ++ d :: r') with ((x ++ [d]) ++ r') by now rewrite <- app_assoc.
  destruct (forallb (open (x ++ [d])) ls) eqn:O.
  - destruct (IH levels (x ++ [d]) (tl vs) r' E I) as [J|[J|(l & J & K)]].
    + intros i l J. rewrite app_length, <- Nat.add_assoc. exact (R (S i) l J).
    + left. apply in_flat_map. exists d. split; [exact D|]. cbv zeta. now rewrite O.
    + right. left. destruct vs as [|v vs]; [now destruct r'|]. apply andb_false_iff. now right.
    + right. right. exists l. split; [|exact K]. apply in_app_iff. now right.
  - right. right. assert (N : exists l, In l ls /\ open (x ++ [d]) l = false).
    { clear - O. induction ls as [|l ls IH]; cbn [forallb] in O; [discriminate|].
      apply andb_false_iff in O. destruct O as [O|O]; [exists l; now split; [left|]|].
      destruct (IH O) as (m & M & K). exists m. now split; [right|]. }
    destruct N as (l & J & K). exists l. split; [apply in_app_iff; now left|].
    specialize (R 0%nat l J). rewrite Nat.add_0_r in R. apply Nat.eqb_eq in R.
    unfold open in *. rewrite move_prefix; [exact K|]. rewrite app_length. cbn [length]. lia.
Qed.
Lemma not_allowed p f s x : In x (tuples p) -> In x (allowed p f s) \/
  may f (move f (fst s) x) && valid (afters (snd s) x) = false.
Proof.
  intros I. unfold allowed. cbv zeta. set (ds := demands f (fst s)).
  assert (L : forall i n j, In j (nth i (map (fun i => filter (reads_last i) ds) (seq n p)) []) ->
    reads_last (n + i) j = true).
  { intros i n j J. destruct (Nat.lt_ge_cases i p) as [B|B].
    - rewrite (nth_indep _ [] (filter (reads_last O) ds)) in J by (now rewrite map_length, seq_length).
      rewrite (map_nth (fun i => filter (reads_last i) ds)), seq_nth in J by exact B.
      now apply filter_In in J.
    - rewrite nth_overflow in J by (now rewrite map_length, seq_length). destruct J. }
  destruct (extended_all p (map (fun i => filter (reads_last i) ds) (seq 0 p)) [] (snd s) x)
    as [J|[J|(l & J & K)]].
  - now rewrite map_length, seq_length.
  - exact I.
  - intros i l J. exact (L i 0%nat l J).
  - now left.
  - right. rewrite J. apply andb_false_r.
  - right. apply andb_false_iff. left. unfold may. apply negb_false_iff.
    apply (demands_gone f x l); [|exact K]. apply in_concat in J. destruct J as (c & C & J).
    apply in_map_iff in C. destruct C as (i & <- & _). now apply filter_In in J.
Qed.
Definition both : Type := tree * list nat.
Definition both_next (f : form) (s : both) (ds : list nat) : both :=
  (move f (fst s) ds, afters (snd s) ds).
Definition both_final (f : form) (s : both) : bool := truth f (fst s) && valid (snd s).
Definition both_hopeless (f : form) (s : both) : bool := negb (may f (fst s) && valid (snd s)).
Definition both_same (s t : both) : bool := eqt (fst s) (fst t) && eqn (snd s) (snd t).
Definition both_key (s : both) : positive := key_list (key_tree 1 (fst s)) (snd s).

Lemma both_run f w s : fold_left (both_next f) w s =
  (fold_left (move f) w (fst s), fold_left afters w (snd s)).
Proof.
  revert s. induction w as [|x w IH]; intros [t vs]; cbn [fold_left fst snd]; [reflexivity|apply IH].
Qed.
Lemma afters_stays vs ds : valid vs = false -> valid (afters vs ds) = false.
Proof.
  revert ds. induction vs as [|v vs IH]; intros [|d ds]; cbn [valid forallb afters]; auto.
  intros V. apply andb_false_iff in V. apply andb_false_iff. destruct V as [V|V].
  - left. unfold after. rewrite V. unfold live. apply Nat.ltb_irrefl.
  - right. apply IH, V.
Qed.
Lemma invalid_stays w vs : valid vs = false -> valid (fold_left afters w vs) = false.
Proof. revert vs. induction w as [|x w IH]; cbn [fold_left]; auto using afters_stays. Qed.

Definition empty (layers p : nat) (f : form) : bool :=
  formed f && never both (list nat) (allowed p f) (both_next f) (both_hopeless f) (both_final f) both_key
    both_same layers (first f, repeat 0%nat p).

Theorem empty_ok layers p f : empty layers p f = true ->
  forall env, length env = p -> natural env -> ~ holds f env.
Proof.
  unfold empty. rewrite andb_true_iff. intros [W E] env L N H.
  pose proof (enough_fits env N) as F. set (i := enough env) in *.
  refine (_ (never_ok _ _ (tuples p) _ _ _ _ _ _ _ _ _ layers _ E (columns i env) _)).
  - intros X. rewrite both_run in X. unfold both_final in X. cbn [fst snd] in X.
    rewrite (proj2 (truth_holds f i env W N F) H) in X. cbn [andb] in X.
    unfold valid in X. rewrite <- L, columns_valid in X; [discriminate|now apply valid_0].
  - intros s t. unfold both_same. rewrite andb_true_iff. destruct s, t. cbn [fst snd].
    intros [A B]. f_equal; [now apply eqt_eq|now apply eqn_eq].
  - intros s x I. destruct (not_allowed p f s x I) as [A|A]; [now left|right].
    unfold both_hopeless. cbn [both_next fst snd]. now rewrite A.
  - intros w s. unfold both_hopeless, both_final. rewrite both_run, negb_true_iff, andb_false_iff.
    cbn [fst snd]. intros [A|A]; apply andb_false_iff; [left; now apply may_stays|].
    right. now apply invalid_stays.
  - rewrite <- L. apply columns_small, F.
Qed.

(* ---- 8. A number that answers: for all numbers with [f] one of the options has others. ----
   An option is a part, the tracks it reads first, and how many numbers it guesses. *)

Inductive way := Way (k : nat) (tracks : list nat) (more : nat).
Definition uses (o : way) : nat := match o with Way k _ _ => k end.
Definition given (o : way) : list nat := match o with Way _ tracks _ => tracks end.
Definition guesses (o : way) : nat := match o with Way _ _ more => more end.
Definition guess : Type := positive * list nat.
Definition same_guess (a b : guess) : bool := Pos.eqb (fst a) (fst b) && eqn (snd a) (snd b).
Fixpoint insert (g : guess) (l : list guess) : list guess :=
  match l with
  | [] => [g]
  | h :: l' => match Pos.compare (key_list (fst g) (snd g)) (key_list (fst h) (snd h)) with
    | Eq => if same_guess g h then l else g :: l
    | Lt => g :: l
    | Gt => h :: insert g l'
    end
  end.
Definition stepped (o : way) (ds : list nat) (g : guess) (ys : list nat) : guess :=
  (step (auto (uses o)) (fst g) (picked ds (given o) ++ ys), afters (snd g) ys).
Definition promising (o : way) (g : guess) : bool := alive (auto (uses o)) (fst g) && valid (snd g).
Definition guessed (o : way) (gs : list guess) (ds : list nat) : list guess :=
  fold_left (fun new g => fold_left (fun new ys => let h := stepped o ds g ys in
    if promising o h then insert h new else new) (tuples (guesses o)) new) gs [].
Fixpoint all_guessed (os : list way) (l : list (list guess)) (ds : list nat) :=
  match os, l with o :: os, gs :: l => guessed o gs ds :: all_guessed os l ds | _, _ => [] end.
Definition answers (o : way) (gs : list guess) : bool :=
  existsb (fun g => accepts (auto (uses o)) (fst g) && valid (snd g)) gs.
Fixpoint answered (os : list way) (l : list (list guess)) : bool :=
  match os, l with o :: os, gs :: l => answers o gs || answered os l | _, _ => false end.

Definition hunt : Type := both * list (list guess).
Definition hunt_next (f : form) (os : list way) (s : hunt) (ds : list nat) : hunt :=
  (both_next f (fst s) ds, all_guessed os (snd s) ds).
Definition hunt_final (f : form) (os : list way) (s : hunt) : bool :=
  both_final f (fst s) && negb (answered os (snd s)).
Definition hunt_hopeless (f : form) (s : hunt) : bool := both_hopeless f (fst s).
Fixpoint all2 {B} (p : B -> B -> bool) (a b : list B) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => p x y && all2 p a b
  | _, _ => false
  end.
Lemma all2_eq B (p : B -> B -> bool) : (forall x y, p x y = true -> x = y) ->
  forall a b, all2 p a b = true -> a = b.
Proof.
  intros H a. induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; [reflexivity|].
  rewrite andb_true_iff. intros [E F]. f_equal; auto.
Qed.
Definition hunt_same (s t : hunt) : bool :=
  both_same (fst s) (fst t) && all2 (all2 same_guess) (snd s) (snd t).
Definition hunt_key (s : hunt) : positive :=
  fold_left (fun h gs => fold_left (fun h g => key_list (mixed h (fst g)) (snd g)) gs (mixed h 1023))
    (snd s) (both_key (fst s)).
Definition hunt_start (p pad : nat) (f : form) (os : list way) : hunt :=
  fold_left (hunt_next f os) (repeat (repeat 0%nat p) pad)
    ((first f, repeat 0%nat p), map (fun o => [(1%positive, repeat 0%nat (guesses o))]) os).
Definition total (layers p pad : nat) (f : form) (os : list way) : bool :=
  formed f && forallb (fun o => quiet (auto (uses o)) (length (given o) + guesses o)) os &&
  never hunt (list nat) (fun s => allowed p f (fst s)) (hunt_next f os) (hunt_hopeless f) (hunt_final f os) hunt_key
    hunt_same layers (hunt_start p pad f os).

Lemma insert_in g h l : In g (insert h l) -> g = h \/ In g l.
Proof.
  induction l as [|k l IH]; cbn [insert]; [intros [<-|[]]; now left|].
  destruct (Pos.compare _ _); [destruct (same_guess h k)| |]; cbn [In]; intuition.
Qed.
Lemma guessed_in o gs ds h : In h (guessed o gs ds) ->
  exists g ys, In g gs /\ length ys = guesses o /\ h = stepped o ds g ys.
Proof.
  unfold guessed. set (step_ := fun new g => fold_left _ _ _).
  assert (I : forall ys new g, Forall (fun y => length y = guesses o) ys -> In h (fold_left (fun new ys =>
    let h := stepped o ds g ys in if promising o h then insert h new else new) ys new) ->
    In h new \/ exists y, length y = guesses o /\ h = stepped o ds g y).
  { intros ys. induction ys as [|y ys IH]; intros new g L H; cbn [fold_left] in H; [now left|].
    inversion L; subst. destruct (IH _ g ltac:(assumption) H) as [J|J]; [|now right]. cbv zeta in J.
    destruct (promising o _); [|now left].
    destruct (insert_in _ _ _ J) as [->|K]; [right; now exists y|now left]. }
  assert (T : Forall (fun y => length y = guesses o) (tuples (guesses o))).
  { apply Forall_forall. apply tuples_length. }
  assert (J : forall gs new, In h (fold_left step_ gs new) -> In h new \/
    exists g ys, In g gs /\ length ys = guesses o /\ h = stepped o ds g ys).
  { intros l. induction l as [|g l IH]; intros new H; cbn [fold_left] in H; [now left|].
    destruct (IH _ H) as [K|(g' & ys & K1 & K2 & K3)].
    - destruct (I _ _ _ T K) as [K'|(y & K1 & K2)]; [now left|].
      right. exists g, y. split; [now left|auto].
    - right. exists g', ys. split; [now right|auto]. }
  intros H. destruct (J gs [] H) as [[]|K]. exact K.
Qed.
Fixpoint zip (a b : list (list nat)) : list (list nat) :=
  match a, b with x :: a, y :: b => (x ++ y) :: zip a b | _, _ => [] end.
Lemma guessed_path o w : forall gs h, In h (fold_left (guessed o) w gs) -> exists g ys,
  In g gs /\ length ys = length w /\ Forall (fun y => length y = guesses o) ys /\
  h = (fold_left (step (auto (uses o))) (zip (map (fun ds => picked ds (given o)) w) ys) (fst g),
       fold_left afters ys (snd g)).
Proof.
  induction w as [|x w IH]; intros gs h H; cbn [fold_left] in H.
  - exists h, []. repeat split; auto. now destruct h.
  - destruct (IH _ _ H) as (g & ys & G & L & A & ->).
    destruct (guessed_in _ _ _ _ G) as (g0 & y & G0 & Ly & ->).
    exists g0, (y :: ys). repeat split; auto. cbn. now rewrite L.
Qed.
Lemma columns_zip i a b : columns i (a ++ b) = zip (columns i a) (columns i b).
Proof.
  revert a b. induction i as [|i IH]; intros a b; cbn [columns zip]; [reflexivity|].
  now rewrite !map_app, IH.
Qed.

Lemma hunt_run f os w s : fold_left (hunt_next f os) w s =
  (fold_left (both_next f) w (fst s), fold_left (all_guessed os) w (snd s)).
Proof.
  revert s. induction w as [|x w IH]; intros [t l]; cbn [fold_left fst snd]; [reflexivity|apply IH].
Qed.
Lemma answered_in os : forall w l, answered os (fold_left (all_guessed os) w l) = true ->
  exists o gs, In (o, gs) (combine os l) /\ answers o (fold_left (guessed o) w gs) = true.
Proof.
  induction os as [|o os IH]; intros w l H.
  - cbn [answered] in H. discriminate.
  - destruct l as [|gs l].
    + assert (E : fold_left (all_guessed (o :: os)) w [] = []) by (induction w; auto).
      rewrite E in H. discriminate.
    + assert (E : forall w gs l, fold_left (all_guessed (o :: os)) w (gs :: l) =
        fold_left (guessed o) w gs :: fold_left (all_guessed os) w l).
      { clear. induction w as [|x w IH]; intros gs l; cbn [fold_left]; [reflexivity|apply IH]. }
      rewrite E in H. cbn [answered] in H. apply orb_true_iff in H. destruct H as [H|H].
      * exists o, gs. split; [now left|exact H].
      * destruct (IH w l H) as (o' & gs' & I & A). exists o', gs'. split; [now right|exact A].
Qed.

(* What an option says of given numbers. *)
Definition offers (env : list Z) (o : way) : Prop :=
  exists ys, length ys = guesses o /\ natural ys /\
    recognised (auto (uses o)) (pick env (given o) ++ ys) = true.
Fixpoint some (env : list Z) (os : list way) : Prop :=
  match os with [] => False | [o] => offers env o | o :: os => offers env o \/ some env os end.

Theorem total_ok layers p pad f os : total layers p pad f os = true ->
  forall env, length env = p -> natural env -> holds f env -> some env os.
Proof.
  unfold total. rewrite !andb_true_iff. intros [[W Q] E] env L N H.
  pose proof (enough_fits env N) as F0. set (i := enough env) in *.
  pose proof (fits_more i (pad + i) env ltac:(lia) F0) as F.
  assert (X : hunt_final f os (fold_left (hunt_next f os) (columns i env) (hunt_start p pad f os)) = false).
  { refine (never_ok _ _ (tuples p) _ _ _ _ _ _ _ _ _ layers _ E (columns i env) _).
    - intros s t. unfold hunt_same, both_same. rewrite !andb_true_iff. destruct s as [[]], t as [[]].
      cbn [fst snd]. intros [[A B] C].
      rewrite (eqt_eq _ _ A), (eqn_eq _ _ B). f_equal. revert C. apply all2_eq. apply all2_eq.
      intros x y. unfold same_guess. rewrite andb_true_iff, Pos.eqb_eq. destruct x, y. cbn [fst snd].
      intros [-> D]. f_equal. now apply eqn_eq.
    - intros s x I. destruct (not_allowed p f (fst s) x I) as [A|A]; [now left|right].
      unfold hunt_hopeless, both_hopeless. cbn [hunt_next both_next fst snd]. now rewrite A.
    - intros w s. unfold hunt_hopeless, both_hopeless, hunt_final, both_final.
      rewrite hunt_run, both_run, negb_true_iff, andb_false_iff.
      cbn [fst snd]. intros [A|A]; rewrite !andb_false_iff; left; [left; now apply may_stays|].
      right. now apply invalid_stays.
    - rewrite <- L. apply columns_small, F0. }
  unfold hunt_start in X. rewrite <- fold_left_app, <- L, <- columns_more in X by exact F0.
  rewrite hunt_run, both_run in X. unfold hunt_final, both_final in X. cbn [fst snd] in X.
  rewrite (proj2 (truth_holds f _ env W N F) H) in X. cbn [andb] in X.
  unfold valid at 1 in X. rewrite columns_valid in X by now apply valid_0.
  cbn [andb] in X. apply negb_false_iff in X.
  destruct (answered_in _ _ _ X) as (o & gs & I & A). clear X.
  assert (O : offers env o).
  { unfold answers in A. apply existsb_exists in A. destruct A as (h & Hh & A).
    apply andb_true_iff in A. destruct A as [A V].
    destruct (guessed_path o _ _ _ Hh) as (g & ys & G & Ly & Lc & ->). cbn [fst snd] in *.
    assert (D : In o os /\ g = (1%positive, repeat 0%nat (guesses o))).
    { split; [exact (in_combine_l _ _ _ _ I)|]. clear - I G. induction os as [|o' os' IH]; cbn in I; [destruct I|].
      destruct I as [I|I]; [|exact (IH I)]. injection I as <- <-. destruct G as [<-|[]]. reflexivity. }
    destruct D as [Io ->]. cbn [fst snd] in *. rewrite columns_length in Ly.
    destruct (columns_join ys (repeat 0%nat (guesses o))) as (nums & B & C).
    - eapply Forall_impl; [|exact Lc]. intros c Ec. now rewrite repeat_length.
    - exact V.
    - rewrite Ly in B, C. exists nums.
      assert (Ln : length nums = guesses o).
      { rewrite <- (repeat_length 0%nat (guesses o)). clear - B. induction B; cbn [length]; congruence. }
      assert (Fn : fits (pad + i) nums).
      { clear - B. revert B. generalize (guesses o) as n. intros n. revert nums.
        induction n as [|n IH]; intros nums B; cbn [repeat] in B; inversion B; subst; constructor;
          [assumption|now apply IH]. }
      assert (Nn : natural nums). { eapply Forall_impl; [|exact Fn]. cbv beta. lia. }
      split; [exact Ln|]. split; [exact Nn|].
      rewrite (recognised_at _ (pad + i)).
      + unfold reads. rewrite columns_zip, columns_pick, C. exact A.
      + rewrite app_length. unfold pick. rewrite map_length, Ln.
        rewrite forallb_forall in Q. now apply Q.
      + apply Forall_app. split; [now apply pick_natural|exact Nn].
      + apply Forall_app. split; [now apply pick_fits|exact Fn]. }
  apply in_combine_l in I. clear - I O. induction os as [|o' os IH]; [destruct I|].
  destruct I as [->|I]; cbn [some]; [destruct os; auto|].
  specialize (IH I). destruct os; [destruct I|now right].
Qed.
End System.
End Digits.
