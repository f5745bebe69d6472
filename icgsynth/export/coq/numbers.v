(* ---- What is known of a number: its remainder by some divisor, and bounds. ---- *)
Unset Nia Cache.
(* A number, or r and a multiple of m (of 0: r itself), not below lo, not above hi. *)
Inductive rough := Exact (z : Z) | Rough (m r : Z) (lo hi : option Z).
Definition no_less (lo : option Z) (x : Z) : Prop := match lo with Some l => l <= x | None => True end.
Definition no_more (hi : option Z) (x : Z) : Prop := match hi with Some h => x <= h | None => True end.
Definition inside (a : rough) (x : Z) : Prop := match a with
| Exact z => x = z
| Rough m r lo hi => (m | x - r) /\ no_less lo x /\ no_more hi x
end.
Definition any_number : rough := Rough 1 0 None None.
Definition wide (a : rough) : rough :=
  match a with Exact z => Rough 0 z (Some z) (Some z) | a => a end.

Definition lifted (f : Z -> Z -> Z) (a b : option Z) : option Z :=
  match a, b with Some x, Some y => Some (f x y) | _, _ => None end.
Definition common (m n : Z) : Z :=
  if m =? n then m else if m =? 0 then n else if n =? 0 then m else Z.gcd m n.
Definition rplus (a b : rough) : rough := match a, b with
| Exact x, Exact y => Exact (x + y)
| _, _ => match wide a, wide b with
  | Rough m r lo hi, Rough n s li hj =>
    Rough (common m n) (r + s) (lifted Z.add lo li) (lifted Z.add hi hj)
  | _, _ => any_number
  end
end.
Definition rtimes (c : Z) (a : rough) : rough := match a with
| Exact z => Exact (c * z)
| Rough m r lo hi =>
  if 0 <=? c then Rough (c * m) (c * r) (option_map (Z.mul c) lo) (option_map (Z.mul c) hi)
  else Rough (c * m) (c * r) (option_map (Z.mul c) hi) (option_map (Z.mul c) lo)
end.
Definition rminus (a b : rough) : rough := match a, b with
| Exact x, Exact y => Exact (x - y)
| _, _ => rplus a (rtimes (-1) b)
end.
Definition rquot (a : rough) (d : Z) : rough := match a with
| Exact z => Exact (z / d)
| Rough m r lo hi =>
  let below := option_map (fun l => l / d) lo in
  let above := option_map (fun h => h / d) hi in
  if m mod d =? 0 then Rough (m / d) (r / d) below above else Rough 1 0 below above
end.
Definition rrest (a : rough) (d : Z) : rough := match a with
| Exact z => Exact (z mod d)
| Rough m r _ _ =>
  if m mod d =? 0 then Exact (r mod d) else Rough (Z.gcd m d) r (Some 0) (Some (d - 1))
end.
(* A number with the same remainder by d as all of these. *)
Definition like (d : Z) (a : rough) : option Z := match a with
| Exact z => Some z
| Rough m r _ _ => if m =? d then Some r else if m mod d =? 0 then Some r else None
end.
(* The remainder; mostly there is nothing to divide. *)
Definition rest (z d : Z) : Z := if 0 <=? z then if z <? d then z else z mod d else z mod d.

(* Whether a number is 0, and whether it is at least 1, where that is known. *)
Definition is_zero (a : rough) : option bool := match a with
| Exact z => Some (z =? 0)
| Rough m r lo hi =>
  if m =? 0 then Some (r =? 0) else
  if negb (r mod m =? 0) then Some false else
  match lo, hi with
  | Some l, Some h => if (0 <? l) || (h <? 0) then Some false else None
  | Some l, None => if 0 <? l then Some false else None
  | None, Some h => if h <? 0 then Some false else None
  | None, None => None
  end
end.
Definition is_positive (a : rough) : option bool := match a with
| Exact z => Some (0 <? z)
| Rough _ _ lo hi => match lo, hi with
  | Some l, Some h => if 0 <? l then Some true else if h <=? 0 then Some false else None
  | Some l, None => if 0 <? l then Some true else None
  | None, Some h => if h <=? 0 then Some false else None
  | None, None => None
  end
end.

Definition not3 (a : option bool) : option bool := option_map negb a.
Definition and3 (a : option bool) (b : Datatypes.unit -> option bool) : option bool := match a with
  | Some false => Some false
  | Some true => b tt
  | None => match b tt with Some false => Some false | _ => None end
  end.
Definition or3 (a : option bool) (b : Datatypes.unit -> option bool) : option bool :=
  not3 (and3 (not3 a) (fun u => not3 (b u))).
Definition same3 (a b : option bool) : option bool :=
  match a, b with Some x, Some y => Some (eqb x y) | _, _ => None end.

(* Of a set, the term that has to be one of the numbers is looked at once: it is kept. *)
Definition kept : Type := option (tm * rough).
Definition known_as (k : kept) (t : tm) (a : Datatypes.unit -> rough) : rough :=
  match k with Some (s, b) => if tm_same s t then b else a tt | None => a tt end.

Section Rough.
Variable known : nat -> rough.
Fixpoint roughly (t : tm) : rough := match t with
| K z => Exact z
| X i => known i
| Plus a b => rplus (roughly a) (roughly b)
| Minus a b => rminus (roughly a) (roughly b)
| Opp a => rtimes (-1) (roughly a)
| Times a b => match roughly a, roughly b with
  | Exact c, b => rtimes c b
  | a, Exact c => rtimes c a
  | _, _ => any_number
  end
| Quot a b => match roughly b with
  | Exact d => if 0 <? d then rquot (roughly a) d else any_number
  | _ => any_number
  end
| Rest a b => match roughly b with
  | Exact d => if 0 <? d then match remainder d a with
      | Some z => Exact (rest z d)
      | None => rrest (roughly a) d
      end else any_number
  | _ => any_number
  end
| Least a b => match is_positive (rminus (roughly a) (roughly b)) with
  | Some true => roughly b
  | Some false => roughly a
  | None => any_number
  end
| Most a b => match is_positive (rminus (roughly a) (roughly b)) with
  | Some true => roughly a
  | Some false => roughly b
  | None => any_number
  end
| Size a => match is_positive (roughly a) with
  | Some true => roughly a
  | Some false => rtimes (-1) (roughly a)
  | None => any_number
  end
| Cond f a b => match truth None f with
  | Some true => roughly a
  | Some false => roughly b
  | None => any_number
  end
end
with remainder (d : Z) (t : tm) : option Z := match t with
| K z => Some z
| X i => like d (known i)
| Plus a b => lifted Z.add (remainder d a) (remainder d b)
| Minus a b => lifted Z.sub (remainder d a) (remainder d b)
| Opp a => option_map Z.opp (remainder d a)
| Times a b => lifted Z.mul (remainder d a) (remainder d b)
| Rest a b => match roughly b with
  | Exact c => if 0 <? c then match remainder c a with
      | Some z => Some (rest z c)
      | None => None
      end else None
  | _ => None
  end
| Quot a b => match roughly b with
  | Exact c => if 0 <? c then like d (rquot (roughly a) c) else None
  | _ => None
  end
| _ => None
end
with truth (k : kept) (f : fm) : option bool := match f with
| Yes => Some true
| No => Some false
| Eq a b => is_zero (rminus (known_as k a (fun _ => roughly a)) (roughly b))
| Ne a b => not3 (is_zero (rminus (known_as k a (fun _ => roughly a)) (roughly b)))
| Lt a b => is_positive (rminus (roughly b) (roughly a))
| Le a b => not3 (is_positive (rminus (roughly a) (roughly b)))
| Gt a b => is_positive (rminus (roughly a) (roughly b))
| Ge a b => not3 (is_positive (rminus (roughly b) (roughly a)))
| And f g => and3 (truth k f) (fun _ => truth k g)
| Or f g =>
  let k := match f with Eq a _ => Some (a, known_as k a (fun _ => roughly a)) | _ => k end in
  or3 (truth k f) (fun _ => truth k g)
| Not f => not3 (truth k f)
| Imp f g => or3 (not3 (truth k f)) (fun _ => truth k g)
| Iff f g => same3 (truth k f) (truth k g)
end.
End Rough.

Lemma wide_inside a x : inside a x -> inside (wide a) x.
Proof. destruct a; [|auto]. intros ->. cbn. rewrite Z.sub_diag. split; [apply Z.divide_0_r|lia]. Qed.
Lemma any_inside x : inside any_number x.
Proof. cbn. split; [apply Z.divide_1_l|auto]. Qed.
Lemma common_divides m n x y : (m | x) -> (n | y) -> (common m n | x + y).
Proof.
  unfold common. intros D E. destruct (Z.eqb_spec m n) as [->|_]; [now apply Z.divide_add_r|].
  destruct (Z.eqb_spec m 0) as [->|_].
  { apply Z.divide_0_l in D. subst. exact E. }
  destruct (Z.eqb_spec n 0) as [->|_].
  { apply Z.divide_0_l in E. subst. now rewrite Z.add_0_r. }
  apply Z.divide_add_r; [exact (Z.divide_trans _ _ _ (Z.gcd_divide_l m n) D)|].
  exact (Z.divide_trans _ _ _ (Z.gcd_divide_r m n) E).
Qed.
Lemma plus_inside a b x y : inside a x -> inside b y -> inside (rplus a b) (x + y).
Proof.
  intros A B. assert (C := wide_inside a x A). assert (D := wide_inside b y B). unfold rplus.
  destruct a as [u|m r lo hi], b as [v|n s li hj]; cbn [wide] in *.
  { cbn in *. congruence. }
  all: destruct C as (C & L & H), D as (D & M & I); split; [|split].
  all: try (match goal with |- (_ | _ + _ - (?r + ?s)) =>
    replace (x + y - (r + s)) with ((x - r) + (y - s)) by ring end; now apply common_divides).
  all: repeat match goal with o : option Z |- _ => destruct o end; cbn in *; auto; lia.
Qed.
Lemma times_inside c a x : inside a x -> inside (rtimes c a) (c * x).
Proof.
  destruct a as [z|m r lo hi]; [intros ->; reflexivity|]. intros (D & L & H). unfold rtimes.
  assert (F : (c * m | c * x - c * r)).
  { rewrite <- Z.mul_sub_distr_l. now apply Z.mul_divide_mono_l. }
  destruct (Z.leb_spec 0 c); (split; [exact F|split]); destruct lo, hi; cbn in *; auto; nia.
Qed.
Lemma minus_inside a b x y : inside a x -> inside b y -> inside (rminus a b) (x - y).
Proof.
  intros A B. assert (S : inside (rplus a (rtimes (-1) b)) (x - y)).
  { replace (x - y) with (x + -1 * y) by ring. apply plus_inside; [exact A|]. now apply times_inside. }
  destruct a, b; exact S.
Qed.
Lemma opp_inside a x : inside a x -> inside (rtimes (-1) a) (- x).
Proof. intros A. replace (- x) with (-1 * x) by ring. now apply times_inside. Qed.
Lemma same_remainder m r x d : 0 < d -> m mod d = 0 -> (m | x - r) -> x mod d = r mod d.
Proof.
  intros P E [q Q]. assert (N := Z.div_mod m d ltac:(lia)).
  replace x with (r + q * (m / d) * d) by nia. now rewrite Z.mod_add by lia.
Qed.
Lemma quot_inside a d x : 0 < d -> inside a x -> inside (rquot a d) (x / d).
Proof.
  destruct a as [z|m r lo hi]; intros P; [intros ->; reflexivity|]. intros (D & L & H). unfold rquot.
  assert (B : no_less (option_map (fun l => l / d) lo) (x / d) /\
    no_more (option_map (fun h => h / d) hi) (x / d)).
  { destruct lo, hi; cbn in *; split; auto; apply Z.div_le_mono; lia. }
  destruct (Z.eqb_spec (m mod d) 0) as [E|_]; (split; [|exact B]); [|apply Z.divide_1_l].
  destruct D as [q Q]. assert (M := Z.div_mod m d ltac:(lia)). exists q.
  replace x with (r + q * (m / d) * d) by nia. rewrite Z.div_add by lia. lia.
Qed.
Lemma rest_inside a d x : 0 < d -> inside a x -> inside (rrest a d) (x mod d).
Proof.
  destruct a as [z|m r lo hi]; intros P; [intros ->; reflexivity|]. intros (D & _). unfold rrest.
  assert (B := Z.mod_pos_bound x d P). assert (M := Z.div_mod x d ltac:(lia)).
  destruct (Z.eqb_spec (m mod d) 0) as [E|_]; [exact (same_remainder m r x d P E D)|].
  split; [|cbn; lia]. replace (x mod d - r) with ((x - r) - d * (x / d)) by lia.
  apply Z.divide_sub_r; [exact (Z.divide_trans _ _ _ (Z.gcd_divide_l m d) D)|].
  apply Z.divide_mul_l, Z.gcd_divide_r.
Qed.
Lemma like_right a d x z : 0 < d -> inside a x -> like d a = Some z -> x mod d = z mod d.
Proof.
  destruct a as [y|m r lo hi]; cbn; intros P.
  - now intros -> [= ->].
  - intros (D & _). destruct (Z.eqb_spec m d) as [->|_].
    { intros [= <-]. exact (same_remainder d r x d P (Z.mod_same d ltac:(lia)) D). }
    destruct (Z.eqb_spec (m mod d) 0) as [E|_]; [|intros; discriminate].
    intros [= <-]. exact (same_remainder m r x d P E D).
Qed.
Lemma rest_right z d : rest z d = z mod d.
Proof.
  unfold rest. destruct (Z.leb_spec 0 z), (Z.ltb_spec z d); try reflexivity.
  symmetry. now apply Z.mod_small.
Qed.
Lemma zero_known a x b : inside a x -> is_zero a = Some b -> (x =? 0) = b.
Proof.
  destruct a as [z|m r lo hi]; [intros ->; now intros [= <-]|]. intros (D & L & H). unfold is_zero.
  destruct (Z.eqb_spec m 0) as [->|N].
  { apply Z.divide_0_l in D. intros [= <-]. f_equal. lia. }
  destruct (Z.eqb_spec (r mod m) 0) as [E|E]; cbn [negb].
  - destruct lo, hi; cbn in *; try discriminate;
      repeat match goal with |- context [?a <? ?b] => destruct (Z.ltb_spec a b); cbn [orb] end;
      try discriminate; intros [= <-]; apply Z.eqb_neq; lia.
  - intros [= <-]. apply Z.eqb_neq. intros ->. apply E.
    apply Z.mod_divide; [exact N|]. apply Z.divide_opp_r. now rewrite <- Z.sub_0_l.
Qed.
Lemma positive_known a x b : inside a x -> is_positive a = Some b -> (0 <? x) = b.
Proof.
  destruct a as [z|m r lo hi]; [intros ->; now intros [= <-]|]. intros (_ & L & H).
  unfold is_positive.
  destruct lo, hi; cbn in *; try discriminate;
    repeat match goal with
    | |- context [?a <? ?b] => destruct (Z.ltb_spec a b)
    | |- context [?a <=? ?b] => destruct (Z.leb_spec a b)
    end; try discriminate; intros [= <-]; first [reflexivity|lia].
Qed.
Lemma not_known a b x : (forall c, a = Some c -> x = c) -> not3 a = Some b -> negb x = b.
Proof. destruct a as [c|]; [|intros; discriminate]. intros A [= <-]. now rewrite (A c eq_refl). Qed.
Lemma and_known a b x y c : (forall c, a = Some c -> x = c) -> (forall c, b tt = Some c -> y = c) ->
  and3 a b = Some c -> x && y = c.
Proof.
  intros A B. destruct a as [[|]|]; cbn.
  - intros E. rewrite (A _ eq_refl), (B _ E). reflexivity.
  - intros [= <-]. now rewrite (A _ eq_refl).
  - destruct (b tt) as [[|]|]; try discriminate. intros [= <-].
    rewrite (B _ eq_refl). apply andb_false_r.
Qed.
Lemma or_known a b x y c : (forall c, a = Some c -> x = c) -> (forall c, b tt = Some c -> y = c) ->
  or3 a b = Some c -> x || y = c.
Proof.
  intros A B E. rewrite <- (negb_involutive (x || y)), negb_orb.
  refine (not_known _ _ _ _ E). intros d. apply and_known.
  - intros e. now apply not_known.
  - intros e. now apply not_known.
Qed.

Definition good (e : nat -> Z) (k : kept) : Prop :=
  match k with Some (t, a) => inside a (value e t) | None => True end.
Lemma known_inside e k t a : good e k -> inside a (value e t) ->
  inside (known_as k t (fun _ => a)) (value e t).
Proof.
  intros G A. destruct k as [[s b]|]; [|exact A]. cbn. destruct (tm_same s t) eqn:S; [|exact A].
  apply same_right in S. subst. exact G.
Qed.
Lemma roughly_right known e : (forall i, inside (known i) (e i)) ->
  (forall t, inside (roughly known t) (value e t) /\
    forall d z, 0 < d -> remainder known d t = Some z -> value e t mod d = z mod d) /\
  (forall f, (forall k, good e k -> forall b, truth known k f = Some b -> test e f = b) /\
    match f with Eq a _ => inside (roughly known a) (value e a) | _ => True end).
Proof.
  intros E. apply tm_fm; cbn [roughly remainder truth value test];
    fold (roughly known); fold (remainder known); fold (truth known).
  - intros z. split; [reflexivity|]. intros d y P H. now injection H as ->.
  - intros i. split; [exact (E i)|]. intros d z P. now apply like_right.
  - intros a [A R] b [B S]. split; [auto using plus_inside|]. intros d z P H.
    destruct (remainder known d a) as [x|] eqn:X, (remainder known d b) as [y|] eqn:Y; try discriminate.
    injection H as <-. rewrite Z.add_mod, (R _ _ P X), (S _ _ P Y) by lia.
    now rewrite <- Z.add_mod by lia.
  - intros a [A R] b [B S]. split; [auto using minus_inside|]. intros d z P H.
    destruct (remainder known d a) as [x|] eqn:X, (remainder known d b) as [y|] eqn:Y; try discriminate.
    injection H as <-. rewrite Zminus_mod, (R _ _ P X), (S _ _ P Y). now rewrite <- Zminus_mod.
  - intros a [A R]. split; [auto using opp_inside|]. intros d z P H.
    destruct (remainder known d a) as [x|] eqn:X; [|intros; discriminate]. injection H as <-.
    rewrite <- !(Z.sub_0_l), Zminus_mod, (R _ _ P X). now rewrite <- Zminus_mod.
  - intros a [A R] b [B S]. split.
    + destruct (roughly known a) as [c|m r lo hi].
      { cbn in A. rewrite A. now apply times_inside. }
      destruct (roughly known b) as [c|n s li hj]; [|apply any_inside].
      cbn in B. rewrite B, Z.mul_comm. now apply times_inside.
    + intros d z P H.
      destruct (remainder known d a) as [x|] eqn:X, (remainder known d b) as [y|] eqn:Y; try discriminate.
      injection H as <-. rewrite Z.mul_mod, (R _ _ P X), (S _ _ P Y) by lia.
      now rewrite <- Z.mul_mod by lia.
  - intros a [A R] b [B S]. destruct (roughly known b) as [c|n s li hj].
    2: split; [apply any_inside|intros; discriminate].
    cbn in B. rewrite B. destruct (Z.ltb_spec 0 c) as [C|C].
    2: split; [apply any_inside|intros; discriminate].
    assert (Q := quot_inside _ c _ C A). split; [exact Q|].
    intros d z P. now apply like_right.
  - intros a [A R] b [B S]. destruct (roughly known b) as [c|n s li hj].
    2: split; [apply any_inside|intros; discriminate].
    cbn in B. rewrite B. destruct (Z.ltb_spec 0 c) as [C|C].
    2: split; [apply any_inside|intros; discriminate].
    destruct (remainder known c a) as [x|] eqn:X.
    + rewrite (R c x C X), <- rest_right. split; [reflexivity|].
      intros d z P H. now injection H as <-.
    + split; [now apply rest_inside|intros; discriminate].
  - intros a [A _] b [B _]. split; [|intros; discriminate]. assert (M := minus_inside _ _ _ _ A B).
    destruct (is_positive _) as [c|] eqn:P; [|apply any_inside].
    apply (positive_known _ _ _ M) in P.
    destruct c; [apply Z.ltb_lt in P; rewrite Z.min_r by lia|apply Z.ltb_ge in P; rewrite Z.min_l by lia]; assumption.
  - intros a [A _] b [B _]. split; [|intros; discriminate]. assert (M := minus_inside _ _ _ _ A B).
    destruct (is_positive _) as [c|] eqn:P; [|apply any_inside].
    apply (positive_known _ _ _ M) in P.
    destruct c; [apply Z.ltb_lt in P; rewrite Z.max_l by lia|apply Z.ltb_ge in P; rewrite Z.max_r by lia]; assumption.
  - intros a [A _]. split; [|intros; discriminate]. destruct (is_positive _) as [c|] eqn:P; [|apply any_inside].
    apply (positive_known _ _ _ A) in P. destruct c.
    + apply Z.ltb_lt in P. rewrite Z.abs_eq by lia. exact A.
    + apply Z.ltb_ge in P. rewrite Z.abs_neq by lia. now apply opp_inside.
  - intros f [F _] a [A _] b [B _]. split; [|intros; discriminate]. change (inside (match truth known None f with
      Some true => roughly known a | Some false => roughly known b | None => any_number end)
      (if test e f then value e a else value e b)).
    destruct (truth known None f) as [c|] eqn:K; [|apply any_inside].
    rewrite (F None I c K). now destruct c.
  - split; [|exact I]. intros k G b H. now injection H as <-.
  - split; [|exact I]. intros k G b H. now injection H as <-.
  - intros a [A _] b [B _]. split; [|exact A]. intros k G c H.
    apply (known_inside e k a _ G) in A. apply (zero_known _ _ _ (minus_inside _ _ _ _ A B)) in H. rewrite <- H.
    destruct (Z.eqb_spec (value e a) (value e b)), (Z.eqb_spec (value e a - value e b) 0); lia.
  - intros a [A _] b [B _]. split; [|exact I]. intros k G c H.
    apply (known_inside e k a _ G) in A. refine (not_known _ _ _ _ H). intros d H'.
    apply (zero_known _ _ _ (minus_inside _ _ _ _ A B)) in H'. rewrite <- H'.
    destruct (Z.eqb_spec (value e a) (value e b)), (Z.eqb_spec (value e a - value e b) 0); lia.
  - intros a [A _] b [B _]. split; [|exact I]. intros k G c H. apply (positive_known _ _ _ (minus_inside _ _ _ _ B A)) in H. rewrite <- H.
    destruct (Z.ltb_spec (value e a) (value e b)), (Z.ltb_spec 0 (value e b - value e a)); lia.
  - intros a [A _] b [B _]. split; [|exact I]. intros k G c H. rewrite <- (negb_involutive (_ <=? _)), <- Z.ltb_antisym.
    refine (not_known _ _ _ _ H). intros d H'.
    apply (positive_known _ _ _ (minus_inside _ _ _ _ A B)) in H'. rewrite <- H'.
    destruct (Z.ltb_spec (value e b) (value e a)), (Z.ltb_spec 0 (value e a - value e b)); lia.
  - intros a [A _] b [B _]. split; [|exact I]. intros k G c H. apply (positive_known _ _ _ (minus_inside _ _ _ _ A B)) in H. rewrite <- H.
    rewrite Z.gtb_ltb.
    destruct (Z.ltb_spec (value e b) (value e a)), (Z.ltb_spec 0 (value e a - value e b)); lia.
  - intros a [A _] b [B _]. split; [|exact I]. intros k G c H. rewrite Z.geb_leb, <- (negb_involutive (_ <=? _)), <- Z.ltb_antisym.
    refine (not_known _ _ _ _ H). intros d H'.
    apply (positive_known _ _ _ (minus_inside _ _ _ _ B A)) in H'. rewrite <- H'.
    destruct (Z.ltb_spec (value e a) (value e b)), (Z.ltb_spec 0 (value e b - value e a)); lia.
  - intros f [F _] g [G _]. split; [|exact I]. intros k K c.
    apply and_known; [exact (F k K)|exact (G k K)].
  - intros f [F S] g [G _]. split; [|exact I]. intros k K c.
    set (j := match f with Eq _ _ => _ | _ => k end).
    assert (J : good e j).
    { subst j. destruct f; try exact K. cbn. now apply known_inside. }
    apply or_known; [exact (F j J)|exact (G j J)].
  - intros f [F _]. split; [|exact I]. intros k K c. apply not_known. exact (F k K).
  - intros f [F _] g [G _]. split; [|exact I]. intros k K c H. rewrite implb_orb. revert H.
    apply or_known; [|exact (G k K)]. intros d. apply not_known. exact (F k K).
  - intros f [F _] g [G _]. split; [|exact I]. intros k K c H.
    destruct (truth known k f) eqn:T, (truth known k g) eqn:U; cbn [same3] in H;
      try discriminate H. injection H as <-. now rewrite (F k K _ T), (G k K _ U).
Qed.

(* One name after the other: below a number, each number from there up to another, and from that on
   by the remainders.  A case is closed as soon as a formula is false in all of it; one that is true
   in all of it is not looked at again. *)
Definition split : Type := nat * (Z * Z * Z).
Definition now_known (known : nat -> rough) (i : nat) (a : rough) (j : nat) : rough :=
  if Nat.eqb j i then a else known j.
Fixpoint from (n : nat) (z : Z) (p : Z -> bool) : bool :=
  match n with O => true | S n => p z && from n (z + 1) p end.
Fixpoint sifted (known : nat -> rough) (hs : list fm) : option (list fm) := match hs with
| nil => Some nil
| h :: hs => match truth known None h with
  | Some false => None
  | Some true => sifted known hs
  | None => option_map (cons h) (sifted known hs)
  end
end.
Fixpoint impossible (ss : list split) (hs : list fm) (known : nat -> rough) : bool :=
  match sifted known hs, ss with
  | None, _ => true
  | _, nil => false
  | Some hs, (i, (lo, hi, m)) :: ss =>
    let next a := impossible ss hs (now_known known i a) in
    (0 <? m) && next (Rough 1 0 None (Some (lo - 1))) &&
    from (Z.to_nat (hi - lo)) lo (fun z => next (Exact z)) &&
    from (Z.to_nat m) 0 (fun r => next (Rough m r (Some hi) None))
  end.
Fixpoint conjuncts (f : fm) : list fm := match f with And f g => conjuncts f ++ conjuncts g | f => f :: nil end.

Definition all_true (e : nat -> Z) (hs : list fm) : Prop := Forall (fun h => test e h = true) hs.
Lemma conjuncts_right e f : test e f = true -> all_true e (conjuncts f).
Proof.
  induction f; cbn [conjuncts]; intros H; try (constructor; [exact H|constructor]).
  cbn in H. apply andb_prop in H. apply Forall_app. split; [apply IHf1|apply IHf2]; apply H.
Qed.
Lemma all_conjuncts e hs : all_true e hs -> all_true e (flat_map conjuncts hs).
Proof.
  induction 1 as [|h hs H _ IH]; [constructor|]. apply Forall_app. split; [|exact IH].
  exact (conjuncts_right e h H).
Qed.
Lemma sifted_right known e : (forall i, inside (known i) (e i)) -> forall hs, all_true e hs ->
  match sifted known hs with Some hs => all_true e hs | None => False end.
Proof.
  intros E hs. induction 1 as [|h hs H _ IH]; cbn [sifted]; [constructor|].
  destruct (truth known None h) as [[|]|] eqn:T; [exact IH| |].
  - rewrite (proj1 (proj2 (roughly_right known e E) h) None Logic.I false T) in H. discriminate.
  - destruct (sifted known hs); cbn; [constructor; assumption|exact IH].
Qed.
Lemma from_right p n : forall z, from n z p = true -> forall y, z <= y < z + Z.of_nat n -> p y = true.
Proof.
  induction n as [|n IH]; intros z H y Y; [lia|]. cbn in H. apply andb_prop in H. destruct H as [A B].
  destruct (Z.eq_dec y z) as [->|]; [exact A|]. apply (IH (z + 1) B). lia.
Qed.
Lemma impossible_right e : forall ss hs known, all_true e hs ->
  (forall i, inside (known i) (e i)) -> impossible ss hs known = true -> False.
Proof.
  induction ss as [|[i [[lo hi] m]] ss IH]; intros hs known F E H; cbn [impossible] in H;
    assert (S := sifted_right known e E hs F); destruct (sifted known hs) as [gs|]; try exact S.
  - discriminate.
  - apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [H B].
    apply andb_prop in H. destruct H as [P A]. apply Z.ltb_lt in P.
    assert (N : forall a, inside a (e i) -> forall j, inside (now_known known i a j) (e j)).
    { intros a I j. unfold now_known. destruct (Nat.eqb_spec j i) as [->|_]; [exact I|exact (E j)]. }
    destruct (Z.lt_ge_cases (e i) lo) as [L|L]; [|destruct (Z.lt_ge_cases (e i) hi) as [G|G]].
    + apply (IH gs _ S (N (Rough 1 0 None (Some (lo - 1))) ltac:(split; [apply Z.divide_1_l|cbn; lia])) A).
    + apply (IH gs _ S (N (Exact (e i)) eq_refl)).
      refine (from_right _ _ _ B (e i) _). lia.
    + assert (M := Z.mod_pos_bound (e i) m P). assert (D := Z.div_mod (e i) m ltac:(lia)).
      apply (IH gs _ S (N (Rough m (e i mod m) (Some hi) None) ltac:(split;
        [exists (e i / m); lia|cbn; lia]))).
      refine (from_right _ _ _ C (e i mod m) _). lia.
Qed.

Theorem refuted_by_numbers l hs ss :
  impossible ss (flat_map conjuncts hs) (fun _ => any_number) = true -> given l hs -> False.
Proof.
  intros H G. refine (impossible_right (env l) ss _ _ (all_conjuncts _ _ (given_tested l hs G)) _ H).
  intros i. apply any_inside.
Qed.
Theorem proved_by_numbers l hs g ss :
  impossible ss (flat_map conjuncts (hs ++ Not g :: nil)) (fun _ => any_number) = true ->
  given l hs -> means (env l) g.
Proof.
  intros R G. destruct (tested (env l) g) as [|N]; [assumption|].
  destruct (refuted_by_numbers l (hs ++ Not g :: nil) ss R). clear R.
  induction hs as [|h hs IH]; [split; [exact N|exact I]|split; [exact (proj1 G)|exact (IH (proj2 G))]].
Qed.
