(* ---- A checker of proofs in linear integer arithmetic, itself proved right. ---- *)

(* Equal values of the names give equal values of all terms. *)
Lemma same_env e e' : (forall i, e i = e' i) ->
  (forall t, value e t = value e' t) /\ (forall f, test e f = test e' f) /\
  (forall ts, each e ts = each e' ts).
Proof.
  intros E. apply all_both; cbn; intros; auto;
    repeat match goal with H : value e _ = _ |- _ => rewrite H | H : test e _ = _ |- _ => rewrite H
      | H : each e _ = _ |- _ => rewrite H end;
    reflexivity.
Qed.

(* The values of the names with z for name i; below, a term s in place of name i. *)
Definition put (e : nat -> Z) (i : nat) (z : Z) (j : nat) : Z := if Nat.eqb j i then z else e j.

Fixpoint tsub (i : nat) (s t : tm) : tm := match t with
| K z => K z
| X j => if Nat.eqb j i then s else X j
| Plus a b => Plus (tsub i s a) (tsub i s b)
| Minus a b => Minus (tsub i s a) (tsub i s b)
| Opp a => Opp (tsub i s a)
| Times a b => Times (tsub i s a) (tsub i s b)
| Quot a b => Quot (tsub i s a) (tsub i s b)
| Rest a b => Rest (tsub i s a) (tsub i s b)
| Least a b => Least (tsub i s a) (tsub i s b)
| Most a b => Most (tsub i s a) (tsub i s b)
| Size a => Size (tsub i s a)
| Cond f a b => Cond (fsub i s f) (tsub i s a) (tsub i s b)
| Of f ts => Of f (esub i s ts)
end
with fsub (i : nat) (s : tm) (f : fm) : fm := match f with
| Yes => Yes
| No => No
| Eq a b => Eq (tsub i s a) (tsub i s b)
| Ne a b => Ne (tsub i s a) (tsub i s b)
| Lt a b => Lt (tsub i s a) (tsub i s b)
| Le a b => Le (tsub i s a) (tsub i s b)
| Gt a b => Gt (tsub i s a) (tsub i s b)
| Ge a b => Ge (tsub i s a) (tsub i s b)
| And f g => And (fsub i s f) (fsub i s g)
| Or f g => Or (fsub i s f) (fsub i s g)
| Not f => Not (fsub i s f)
| Imp f g => Imp (fsub i s f) (fsub i s g)
| Iff f g => Iff (fsub i s f) (fsub i s g)
| Reads r ts => Reads r (esub i s ts)
end
with esub (i : nat) (s : tm) (ts : tms) : tms := match ts with
| Nil => Nil
| Next t ts => Next (tsub i s t) (esub i s ts)
end.

(* To substitute s for name i is to give i the value of s. *)
Lemma substituted e i s :
  (forall t, value e (tsub i s t) = value (put e i (value e s)) t) /\
  (forall f, test e (fsub i s f) = test (put e i (value e s)) f) /\
  (forall ts, each e (esub i s ts) = each (put e i (value e s)) ts).
Proof.
  apply all_both; cbn; intros;
    repeat match goal with H : _ = value _ _ |- _ => rewrite H | H : _ = test _ _ |- _ => rewrite H
      | H : _ = each _ _ |- _ => rewrite H end;
    try reflexivity.
  unfold put. destruct (Nat.eqb _ _); reflexivity.
Qed.

(* Linear forms: coefficients of the terms of a table, and a constant. *)
Fixpoint dot (v e : list Z) : Z := match v, e with
| c :: v, x :: e => c * x + dot v e
| _, _ => 0
end.

Fixpoint vplus (v w : list Z) : list Z := match v, w with
| nil, w => w
| v, nil => v
| a :: v, b :: w => a + b :: vplus v w
end.
Definition vtimes (k : Z) (v : list Z) : list Z := map (Z.mul k) v.
Definition vzero (v : list Z) : bool := forallb (fun a => a =? 0) v.
Definition vdivides (g : Z) (v : list Z) : bool := forallb (fun a => a mod g =? 0) v.
Definition vquot (g : Z) (v : list Z) : list Z := map (fun a => a / g) v.
Fixpoint unit (i : nat) : list Z := match i with O => 1 :: nil | S i => 0 :: unit i end.

Lemma dot_nil e : dot nil e = 0.
Proof. destruct e; reflexivity. Qed.
Lemma dot_plus v : forall w e, dot (vplus v w) e = dot v e + dot w e.
Proof.
  induction v as [|a v IH]; intros [|b w] [|x e]; cbn; rewrite ?IH; try lia.
Qed.
Lemma dot_times k v : forall e, dot (vtimes k v) e = k * dot v e.
Proof. induction v as [|a v IH]; intros [|x e]; cbn; rewrite ?IH; lia. Qed.
Lemma dot_zero v : vzero v = true -> forall e, dot v e = 0.
Proof.
  induction v as [|a v IH]; intros H [|x e]; cbn in *; try reflexivity.
  apply andb_prop in H. destruct H as [A V]. apply Z.eqb_eq in A. rewrite (IH V). lia.
Qed.
Lemma dot_quot g v : 0 < g -> vdivides g v = true -> forall e, dot v e = g * dot (vquot g v) e.
Proof.
  intros G. induction v as [|a v IH]; intros H [|x e]; cbn in *; try lia.
  apply andb_prop in H. destruct H as [A V]. apply Z.eqb_eq in A. rewrite (IH V e).
  assert (M := Z.div_mod a g). rewrite A in M. rewrite M at 1 by lia.
  fold (vquot g v). ring.
Qed.
Lemma dot_unit i : forall e, dot (unit i) e = nth i e 0.
Proof.
  induction i as [|i IH]; intros [|x e]; cbn [unit dot nth]; rewrite ?dot_nil, ?IH; lia.
Qed.

(* A term as a linear form over a table of terms: names, and terms that are not linear. *)
Section Table.
Variable table : list tm.

Fixpoint place (l : list tm) (t : tm) : option nat := match l with
| nil => None
| s :: l => if tm_same s t then Some O else option_map S (place l t)
end.
Definition known (t : tm) : option (list Z * Z) :=
  option_map (fun i => (unit i, 0)) (place table t).

Definition both (p q : option (list Z * Z)) (f : list Z -> Z -> list Z -> Z -> option (list Z * Z)) :=
  match p, q with Some (v, c), Some (w, d) => f v c w d | _, _ => None end.

Fixpoint lin (t : tm) : option (list Z * Z) := match t with
| K z => Some (nil, z)
| Plus a b => both (lin a) (lin b) (fun v c w d => Some (vplus v w, c + d))
| Minus a b => both (lin a) (lin b) (fun v c w d => Some (vplus v (vtimes (-1) w), c - d))
| Opp a => both (lin a) (lin a) (fun v c _ _ => Some (vtimes (-1) v, - c))
| Times a b => both (lin a) (lin b) (fun v c w d =>
    if vzero v then Some (vtimes c w, c * d) else
    if vzero w then Some (vtimes d v, c * d) else known t)
| Quot a b => both (lin a) (lin b) (fun v c w d =>
    if (0 <? d) && vzero w && vdivides d v then Some (vquot d v, c / d) else known t)
| Rest a b => both (lin a) (lin b) (fun v c w d =>
    if (0 <? d) && vzero w && vdivides d v then Some (nil, c mod d) else known t)
| _ => known t
end.

Variable e : nat -> Z.
Let row := map (value e) table.

Lemma place_right t i : place table t = Some i -> nth i row 0 = value e t.
Proof.
  unfold row. revert i. induction table as [|s l IH]; cbn; [discriminate|]. intros i.
  destruct (tm_same s t) eqn:E.
  - intros [= <-]. apply same_right in E. subst. reflexivity.
  - destruct (place l t) as [j|]; [|discriminate]. intros [= <-]. exact (IH j eq_refl).
Qed.
Lemma known_right t v c : known t = Some (v, c) -> value e t = dot v row + c.
Proof.
  unfold known. destruct (place table t) as [i|] eqn:E; [|discriminate].
  intros [= <- <-]. rewrite dot_unit, (place_right t i E). lia.
Qed.

Lemma lin_right t : forall v c, lin t = Some (v, c) -> value e t = dot v row + c.
Proof.
  induction t; intros v' c' H;
    try exact (known_right _ _ _ H); cbn [lin] in H; unfold both in H;
    repeat match goal with
    | H : context [match lin ?t with _ => _ end], IH : forall v c, lin ?t = _ -> _ |- _ =>
        destruct (lin t) as [[? ?]|]; [specialize (IH _ _ eq_refl)|discriminate]
    end.
  - injection H as <- <-. rewrite dot_nil. reflexivity.
  - injection H as <- <-. cbn [value]. rewrite dot_plus. lia.
  - injection H as <- <-. cbn [value]. rewrite dot_plus, dot_times. lia.
  - injection H as <- <-. cbn [value]. rewrite dot_times. lia.
  - destruct (vzero l) eqn:Z1; [|destruct (vzero l0) eqn:Z2; [|exact (known_right _ _ _ H)]];
      injection H as <- <-; cbn [value]; rewrite dot_times, IHt1, IHt2.
    + rewrite (dot_zero l Z1). lia.
    + rewrite (dot_zero l0 Z2). lia.
  - destruct ((0 <? z0) && vzero l0 && vdivides z0 l) eqn:C; [|exact (known_right _ _ _ H)].
    apply andb_prop in C. destruct C as [C D]. apply andb_prop in C. destruct C as [P Z2].
    apply Z.ltb_lt in P. injection H as <- <-. cbn [value].
    rewrite IHt1, IHt2, (dot_zero l0 Z2), Z.add_0_l, (dot_quot z0 l P D), Z.mul_comm.
    rewrite Z.add_comm, Z.div_add by lia. lia.
  - destruct ((0 <? z0) && vzero l0 && vdivides z0 l) eqn:C; [|exact (known_right _ _ _ H)].
    apply andb_prop in C. destruct C as [C D]. apply andb_prop in C. destruct C as [P Z2].
    apply Z.ltb_lt in P. injection H as <- <-. cbn [value].
    rewrite IHt1, IHt2, (dot_zero l0 Z2), Z.add_0_l, (dot_quot z0 l P D), Z.mul_comm.
    rewrite Z.add_comm, Z.mod_add by lia. rewrite dot_nil. lia.
Qed.

(* Facts: inequalities and equations of linear forms, joined by "and" and "or". *)
Inductive fact :=
| Sure | Never | Nonneg (v : list Z) (c : Z) | Zero (v : list Z) (c : Z)
| All (f g : fact) | Any (f g : fact).

Fixpoint true_of (f : fact) : Prop := match f with
| Sure => True
| Never => False
| Nonneg v c => 0 <= dot v row + c
| Zero v c => dot v row + c = 0
| All f g => true_of f /\ true_of g
| Any f g => true_of f \/ true_of g
end.

Definition all (f g : fact) : fact := match f, g with
| Sure, g => g | f, Sure => f | Never, _ | _, Never => Never | f, g => All f g end.
Definition any (f g : fact) : fact := match f, g with
| Never, g => g | f, Never => f | Sure, _ | _, Sure => Sure | f, g => Any f g end.
Lemma all_right f g : true_of f -> true_of g -> true_of (all f g).
Proof. destruct f, g; cbn; tauto. Qed.
Lemma any_right f g : true_of f \/ true_of g -> true_of (any f g).
Proof. destruct f, g; cbn; tauto. Qed.

Definition gcd_of (v : list Z) : Z := fold_right Z.gcd 0 v.
Definition nonneg (v : list Z) (c : Z) : fact :=
  if vzero v then if 0 <=? c then Sure else Never else
  let g := gcd_of v in
  if (1 <? g) && vdivides g v then Nonneg (vquot g v) (c / g) else Nonneg v c.
Definition zero (v : list Z) (c : Z) : fact :=
  if vzero v then if c =? 0 then Sure else Never else
  let g := gcd_of v in
  if (1 <? g) && vdivides g v then if c mod g =? 0 then Zero (vquot g v) (c / g) else Never
  else Zero v c.
Lemma nonneg_right v c : 0 <= dot v row + c -> true_of (nonneg v c).
Proof.
  unfold nonneg. destruct (vzero v) eqn:N; intros H.
  { rewrite (dot_zero v N) in H. destruct (Z.leb_spec 0 c); cbn; [exact I|lia]. }
  destruct (_ && _) eqn:C; [|exact H]. apply andb_prop in C. destruct C as [P D].
  apply Z.ltb_lt in P. rewrite (dot_quot _ v (Z.lt_trans _ _ _ Z.lt_0_1 P) D) in H. cbn.
  replace (dot _ row + c / _) with ((c + dot (vquot (gcd_of v) v) row * gcd_of v) / gcd_of v).
  - apply Z.div_pos; lia.
  - rewrite Z.div_add by lia. lia.
Qed.
Lemma zero_right v c : dot v row + c = 0 -> true_of (zero v c).
Proof.
  unfold zero. destruct (vzero v) eqn:N; intros H.
  { rewrite (dot_zero v N) in H. destruct (Z.eqb_spec c 0); cbn; [exact I|lia]. }
  destruct (_ && _) eqn:C; [|exact H]. apply andb_prop in C. destruct C as [P D].
  apply Z.ltb_lt in P. rewrite (dot_quot _ v (Z.lt_trans _ _ _ Z.lt_0_1 P) D) in H.
  assert (E : c = (- dot (vquot (gcd_of v) v) row) * gcd_of v) by lia.
  rewrite E, Z.mod_mul, Z.div_mul by lia. cbn. lia.
Qed.

Definition lin_nonneg (p : option (list Z * Z)) (k : Z) : fact :=
  match p with Some (v, c) => nonneg v (c + k) | None => Sure end.
Definition lin_zero (p : option (list Z * Z)) : fact :=
  match p with Some (v, c) => zero v c | None => Sure end.
Lemma lin_nonneg_right t k : 0 <= value e t + k -> true_of (lin_nonneg (lin t) k).
Proof.
  destruct (lin t) as [[v c]|] eqn:L; cbn; [|tauto]. rewrite (lin_right t v c L).
  intros H. apply nonneg_right. lia.
Qed.
Lemma lin_zero_right t : value e t = 0 -> true_of (lin_zero (lin t)).
Proof.
  destruct (lin t) as [[v c]|] eqn:L; cbn; [|tauto]. rewrite (lin_right t v c L).
  apply zero_right.
Qed.

Definition less (a b : tm) : fact := lin_nonneg (lin (Minus b a)) (-1).
Definition most (a b : tm) : fact := lin_nonneg (lin (Minus b a)) 0.
Definition equal (a b : tm) : fact := lin_zero (lin (Minus a b)).
Lemma less_right a b : value e a < value e b -> true_of (less a b).
Proof. intros H. apply lin_nonneg_right. cbn [value]. lia. Qed.
Lemma most_right a b : value e a <= value e b -> true_of (most a b).
Proof. intros H. apply lin_nonneg_right. cbn [value]. lia. Qed.
Lemma equal_right a b : value e a = value e b -> true_of (equal a b).
Proof. intros H. apply lin_zero_right. cbn [value]. lia. Qed.

(* What a formula, or with [false] its negation, says of linear forms. *)
Fixpoint said (p : bool) (f : fm) : fact := match f, p with
| Yes, true | No, false => Sure
| No, true | Yes, false => Never
| Eq a b, true | Ne a b, false => equal a b
| Ne a b, true | Eq a b, false => any (less a b) (less b a)
| Lt a b, true | Ge a b, false => less a b
| Le a b, true | Gt a b, false => most a b
| Gt a b, true | Le a b, false => less b a
| Ge a b, true | Lt a b, false => most b a
| And f g, true => all (said true f) (said true g)
| And f g, false => any (said false f) (said false g)
| Or f g, true => any (said true f) (said true g)
| Or f g, false => all (said false f) (said false g)
| Not f, p => said (negb p) f
| Imp f g, true => any (said false f) (said true g)
| Imp f g, false => all (said true f) (said false g)
| Iff f g, true => any (all (said true f) (said true g)) (all (said false f) (said false g))
| Iff f g, false => any (all (said true f) (said false g)) (all (said false f) (said true g))
| Reads _ _, _ => Sure
end.
(* By induction over the formula; a reader's acceptance says nothing linear, so it becomes Sure. *)
Lemma said_right f : forall p, test e f = p -> true_of (said p f).
Proof.
  induction f as [| |a b|a b|a b|a b|a b|a b|f IF g IG|f IF g IG|f IF|f IF g IG|f IF g IG|r ts];
    intros [|]; cbn [test said]; try discriminate; try (intros _; exact I);
    rewrite ?Z.gtb_ltb, ?Z.geb_leb; intros H;
    repeat match goal with
    | H : negb _ = true |- _ => apply negb_true_iff in H
    | H : negb _ = false |- _ => apply negb_false_iff in H
    | H : (_ =? _) = true |- _ => apply Z.eqb_eq in H
    | H : (_ =? _) = false |- _ => apply Z.eqb_neq in H
    | H : (_ <? _) = true |- _ => apply Z.ltb_lt in H
    | H : (_ <? _) = false |- _ => apply Z.ltb_ge in H
    | H : (_ <=? _) = true |- _ => apply Z.leb_le in H
    | H : (_ <=? _) = false |- _ => apply Z.leb_gt in H
    end;
    try solve [apply equal_right; assumption|apply less_right; assumption
      |apply most_right; assumption|apply any_right;
      destruct (Z.lt_trichotomy (value e a) (value e b)) as [L|[L|L]];
      [left; apply less_right; assumption|contradiction|right; apply less_right; assumption]].
  all: try (cbn [negb]; first [apply IF; destruct (test e f); cbn in H; congruence]).
  all: destruct (test e f) eqn:EF, (test e g) eqn:EG; cbn in H; try discriminate;
    first [apply all_right; auto; fail|apply any_right;
      solve [left; auto|right; auto|left; apply all_right; auto|right; apply all_right; auto]].
Qed.

(* What holds of the terms of the table that are not linear, whatever they stand for. *)
Definition about (t : tm) : fact := match t with
| Rest a b => match lin b with
  | Some (w, d) => if (0 <? d) && vzero w then
      all (equal a (Plus (Times (K d) (Quot a b)) t)) (all (most (K 0) t) (less t (K d))) else Sure
  | None => Sure end
| Quot a b => match lin b with
  | Some (w, d) => if (0 <? d) && vzero w then
      all (most (Times (K d) t) a) (less a (Plus (Times (K d) t) (K d))) else Sure
  | None => Sure end
| Least a b => any (all (most a b) (equal t a)) (all (less b a) (equal t b))
| Most a b => any (all (most b a) (equal t a)) (all (less a b) (equal t b))
| Size a => any (all (most (K 0) a) (equal t a)) (all (less a (K 0)) (equal t (Opp a)))
| Cond f a b => any (all (said true f) (equal t a)) (all (said false f) (equal t b))
| _ => Sure
end.
Lemma about_right t : true_of (about t).
Proof.
  destruct t as [z|i|a b|a b|a|a b|a b|a b|a b|a b|a|f a b|f ts]; try exact I; cbn [about].
  - destruct (lin b) as [[w d]|] eqn:L; [|exact I]. destruct (_ && _) eqn:C; [|exact I].
    apply andb_prop in C. destruct C as [P N]. apply Z.ltb_lt in P.
    assert (B : value e b = d) by (rewrite (lin_right b w d L), (dot_zero w N); reflexivity).
    assert (M := Z.div_mod (value e a) d). assert (R := Z.mod_pos_bound (value e a) d P).
    apply all_right; [apply most_right|apply less_right]; cbn [value]; rewrite B; lia.
  - destruct (lin b) as [[w d]|] eqn:L; [|exact I]. destruct (_ && _) eqn:C; [|exact I].
    apply andb_prop in C. destruct C as [P N]. apply Z.ltb_lt in P.
    assert (B : value e b = d) by (rewrite (lin_right b w d L), (dot_zero w N); reflexivity).
    assert (M := Z.div_mod (value e a) d). assert (R := Z.mod_pos_bound (value e a) d P).
    apply all_right; [|apply all_right]; [apply equal_right|apply most_right|apply less_right];
      cbn [value]; rewrite B; lia.
  - apply any_right. destruct (Z.le_gt_cases (value e a) (value e b)); [left|right]; apply all_right;
      first [apply most_right|apply less_right|apply equal_right]; cbn [value]; lia.
  - apply any_right. destruct (Z.le_gt_cases (value e b) (value e a)); [left|right]; apply all_right;
      first [apply most_right|apply less_right|apply equal_right]; cbn [value]; lia.
  - apply any_right. destruct (Z.le_gt_cases 0 (value e a)); [left|right]; apply all_right;
      first [apply most_right|apply less_right|apply equal_right]; cbn [value]; lia.
  - apply any_right. destruct (test e f) eqn:T; [left|right]; apply all_right;
      first [apply said_right; exact T|apply equal_right; cbn [value]; rewrite T; reflexivity].
Qed.

(* The facts that hold at a point of the proof; None where they cannot hold. *)
Fixpoint add (f : fact) (l : list fact) : option (list fact) := match f with
| Sure => Some l
| Never => None
| All f g => match add f l with Some l => add g l | None => None end
| f => Some (f :: l)
end.
Definition hold (l : option (list fact)) : Prop :=
  match l with Some l => Forall true_of l | None => False end.
Lemma add_right f : forall l, true_of f -> Forall true_of l -> hold (add f l).
Proof.
  induction f; intros l H F; try exact (Forall_cons _ H F); cbn in *; try assumption; try tauto.
  destruct H as [H1 H2]. specialize (IHf1 l H1 F). destruct (add f1 l); [|exact IHf1].
  exact (IHf2 l0 H2 IHf1).
Qed.

(* A certificate that the facts known at a point contradict each other, by the place of a fact
   from the latest one on.  Done: they do at sight.  Either: both alternatives of a disjunction.
   Sum: the sum of some facts is one fact more.  Cut: an inequality, and its negation. *)
Inductive parts := End | Part (i : nat) (w : Z) (ps : parts).
Inductive cert :=
| Done
| Either (i : nat) (c d : cert)
| Sum (ps : parts) (c : cert)
| Cut (v : list Z) (k : Z) (c d : cert).

(* Inequalities times numbers that are not negative, and equations times any, added up. *)
Fixpoint sum_of (l : list fact) (ps : parts) : list Z * Z := match ps with
| End => (nil, 0)
| Part i w ps => let (v, c) := sum_of l ps in match nth i l Sure with
  | Nonneg u d => if 0 <=? w then (vplus (vtimes w u) v, w * d + c) else (v, c)
  | Zero u d => (vplus (vtimes w u) v, w * d + c)
  | _ => (v, c)
  end
end.
Lemma nth_right l i : Forall true_of l -> true_of (nth i l Sure).
Proof.
  intros F. revert i. induction F as [|f l H F IH]; intros [|i]; try exact I; [exact H|exact (IH i)].
Qed.
Lemma sum_right l ps : Forall true_of l -> 0 <= dot (fst (sum_of l ps)) row + snd (sum_of l ps).
Proof.
  intros F. induction ps as [|i w ps IH]; cbn; [lia|].
  destruct (sum_of l ps) as [v c]. cbn in IH. assert (N := nth_right l i F).
  destruct (nth i l Sure); cbn in *; try assumption.
  - destruct (Z.leb_spec 0 w); [|exact IH]. cbn. rewrite dot_plus, dot_times.
    assert (0 <= w * (dot v0 row + c0)) by (apply Z.mul_nonneg_nonneg; assumption). lia.
  - rewrite dot_plus, dot_times. assert (E : w * (dot v0 row + c0) = 0) by (rewrite N; lia). lia.
Qed.

(* A fact that is added is rounded first: with whole numbers g v + c >= 0 is v + c / g >= 0. *)
Fixpoint check (c : cert) (given : option (list fact)) : bool := match given with
| None => true
| Some l => match c with
  | Done => false
  | Either i c d => match nth i l Sure with
    | Any f g => check c (add f l) && check d (add g l)
    | _ => false
    end
  | Sum ps c => let (v, k) := sum_of l ps in check c (add (nonneg v k) l)
  | Cut v k c d =>
      check c (add (nonneg v k) l) && check d (add (nonneg (vtimes (-1) v) (- k - 1)) l)
  end
end.
(* By induction over the certificate: each step adds only what follows, so no facts can hold. *)
Lemma check_right c : forall l, check c l = true -> hold l -> False.
Proof.
  induction c as [|i c IC d ID|ps c IC|v k c IC d ID]; intros [l|] H F; try exact F; cbn [check] in H.
  - discriminate.
  - assert (N := nth_right l i F). destruct (nth i l Sure) as [| | | | |f g]; try discriminate.
    apply andb_prop in H. destruct H as [C D]. destruct N as [N|N].
    + exact (IC _ C (add_right f l N F)).
    + exact (ID _ D (add_right g l N F)).
  - assert (N := sum_right l ps F). destruct (sum_of l ps) as [v k].
    exact (IC _ H (add_right _ l (nonneg_right v k N) F)).
  - apply andb_prop in H. destruct H as [C D].
    destruct (Z.le_gt_cases 0 (dot v row + k)) as [L|L].
    + exact (IC _ C (add_right _ l (nonneg_right _ _ L) F)).
    + refine (ID _ D (add_right _ l (nonneg_right _ _ _) F)). rewrite dot_times. lia.
Qed.

Fixpoint start (fs : list fact) (l : option (list fact)) : option (list fact) := match fs, l with
| nil, l => l
| _, None => None
| f :: fs, Some l => start fs (add f l)
end.
Lemma start_right fs : forall l, Forall true_of fs -> hold l -> hold (start fs l).
Proof.
  induction fs as [|f fs IH]; intros [l|] F H; try exact H. inversion F. subst.
  apply IH; [assumption|]. apply add_right; assumption.
Qed.
(* All that a proof begins with: the formulas, and what holds of the terms of the table. *)
Definition opened (hs : list fm) : option (list fact) :=
  start (map (said true) hs ++ map about table) (Some nil).
Lemma opened_right hs : Forall (fun h => test e h = true) hs -> hold (opened hs).
Proof.
  intros F. apply start_right; [|exact (Forall_nil _)]. apply Forall_app. split.
  - induction F as [|h hs H F IH]; cbn; constructor; auto using said_right.
  - generalize table at 1. intros l. induction l as [|t l IH]; cbn; constructor; auto using about_right.
Qed.
End Table.

(* Facts about terms none of which is negative: where the signs decide, they are known. *)
Fixpoint settled (f : fact) : fact := match f with
| Nonneg v c => if (c <? 0) && forallb (fun a => a <=? 0) v then Never else
    if (0 <=? c) && forallb (fun a => 0 <=? a) v then Sure else f
| Zero v c => if (c <? 0) && forallb (fun a => a <=? 0) v then Never else
    if (0 <? c) && forallb (fun a => 0 <=? a) v then Never else f
| All f g => all (settled f) (settled g)
| Any f g => any (settled f) (settled g)
| f => f
end.
Lemma dot_sign s v : forallb (fun a => 0 <=? s * a) v = true ->
  forall row, Forall (fun x => 0 <= x) row -> 0 <= s * dot v row.
Proof.
  induction v as [|a v IH]; intros A [|x row] R; cbn in *; try lia.
  apply andb_prop in A. destruct A as [A V]. apply Z.leb_le in A. inversion R. subst.
  assert (B := IH V row ltac:(assumption)). assert (0 <= s * a * x) by (apply Z.mul_nonneg_nonneg; assumption).
  lia.
Qed.
Lemma dot_more v row : Forall (fun x => 0 <= x) row ->
  forallb (fun a => 0 <=? a) v = true -> 0 <= dot v row.
Proof.
  intros R A. assert (D := dot_sign 1 v). rewrite <- (Z.mul_1_l (dot v row)). apply D; [|exact R].
  rewrite <- A. clear. induction v as [|a v IH]; cbn [forallb]; [reflexivity|]. now rewrite IH, Z.mul_1_l.
Qed.
Lemma dot_less v row : Forall (fun x => 0 <= x) row ->
  forallb (fun a => a <=? 0) v = true -> dot v row <= 0.
Proof.
  intros R A. assert (D := dot_sign (-1) v). enough (0 <= -1 * dot v row) by lia. apply D; [|exact R].
  rewrite <- A. clear. induction v as [|a v IH]; cbn [forallb]; [reflexivity|]. rewrite IH. f_equal.
  destruct (Z.leb_spec 0 (-1 * a)), (Z.leb_spec a 0); lia.
Qed.
Lemma settled_right table e f : Forall (fun t => 0 <= value e t) table ->
  true_of table e f -> true_of table e (settled f).
Proof.
  intros T. apply (Forall_map (value e) (fun x => 0 <= x)) in T.
  induction f as [| |v c|v c|f IF g IG|f IF g IG]; cbn [settled]; intros H; try exact H.
  - destruct ((c <? 0) && _) eqn:N; [|destruct ((0 <=? c) && _); [exact I|exact H]].
    apply andb_prop in N. destruct N as [C V]. apply Z.ltb_lt in C.
    assert (D := dot_less v _ T V). cbn in *. lia.
  - destruct ((c <? 0) && _) eqn:N; [|destruct ((0 <? c) && _) eqn:M; [|exact H]].
    + apply andb_prop in N. destruct N as [C V]. apply Z.ltb_lt in C.
      assert (D := dot_less v _ T V). cbn in *. lia.
    + apply andb_prop in M. destruct M as [C V]. apply Z.ltb_lt in C.
      assert (D := dot_more v _ T V). cbn in *. lia.
  - apply all_right; [apply IF|apply IG]; apply H.
  - apply any_right. destruct H as [H|H]; [left; exact (IF H)|right; exact (IG H)].
Qed.

(* Whether a formula, or with [false] its negation, cannot be true whatever the names in [ns] are, as
   long as none of them is negative. *)
Fixpoint never (ns : list nat) (p : bool) (f : fm) : bool := match f, p with
| And f g, true => if never ns true f then true else never ns true g
| And f g, false => if never ns false f then never ns false g else false
| Or f g, true => if never ns true f then never ns true g else false
| Or f g, false => if never ns false f then true else never ns false g
| Not f, p => never ns (negb p) f
| f, p => match settled (said (map X ns) p f) with Never => true | _ => false end
end.
Lemma never_right ns e f : Forall (fun i => 0 <= e i) ns ->
  forall p, never ns p f = true -> test e f <> p.
Proof.
  intros N.
  assert (A : forall g p, match settled (said (map X ns) p g) with Never => true | _ => false end = true ->
    test e g <> p).
  { intros g p H T. assert (S := settled_right (map X ns) e (said (map X ns) p g)).
    destruct (settled _); try discriminate. apply S; [apply Forall_map; exact N|].
    exact (said_right (map X ns) e g p T). }
  induction f as [| |a b|a b|a b|a b|a b|a b|f IF g IG|f IF g IG|f IF|f IF g IG|f IF g IG|r ts];
    intros p; try exact (A _ p); cbn [never test].
  - destruct p.
    + destruct (never ns true f) eqn:F; intros G; [assert (H := IF _ F)|assert (H := IG _ G)];
        destruct (test e f), (test e g); cbn; congruence.
    + destruct (never ns false f) eqn:F; intros G; [|discriminate]. assert (H := IF _ F).
      assert (J := IG _ G). destruct (test e f), (test e g); cbn; congruence.
  - destruct p.
    + destruct (never ns true f) eqn:F; intros G; [|discriminate]. assert (H := IF _ F).
      assert (J := IG _ G). destruct (test e f), (test e g); cbn; congruence.
    + destruct (never ns false f) eqn:F; intros G; [assert (H := IF _ F)|assert (H := IG _ G)];
        destruct (test e f), (test e g); cbn; congruence.
  - intros G. assert (H := IF _ G). destruct (test e f), p; cbn in *; congruence.
  - exact (A (Reads r ts) p).
Qed.
Fixpoint impossible (ns : list nat) (hs : list fm) : bool := match hs with
| nil => false
| h :: hs => if never ns true h then true else impossible ns hs
end.
Lemma impossible_right ns hs e : impossible ns hs = true -> Forall (fun i => 0 <= e i) ns ->
  Forall (fun h => test e h = true) hs -> False.
Proof.
  intros H N F. induction F as [|h hs T F IH]; cbn in H; [discriminate|].
  destruct (never ns true h) eqn:A; [exact (never_right ns e h N true A T)|exact (IH H)].
Qed.

(* All cases of some names: each is less than a number, or one of so many from there on, or more,
   with one of its remainders.  In each case some formula is impossible. *)
Inductive spread := Spread (i : nat) (low : Z) (single period : nat).
Definition numbers (z : Z) (n : nat) : list Z := map (fun j => z + Z.of_nat j) (seq 0 n).
Fixpoint cases (ss : list spread) (ns : list nat) (hs : list fm) : bool :=
  if impossible ns hs then true else match ss with
  | nil => false
  | Spread i lo n m :: ss =>
    let case t := cases ss (i :: ns) (map (fsub i t) hs) in
    case (Minus (K (lo - 1)) (X i)) && forallb (fun z => case (K z)) (numbers lo n) &&
    (0 <? Z.of_nat m) &&
    forallb (fun z => case (Plus (Times (K (Z.of_nat m)) (X i)) (K z))) (numbers (lo + Z.of_nat n) m)
  end.
Lemma numbers_in z n x : z <= x < z + Z.of_nat n -> In x (numbers z n).
Proof.
  intros H. unfold numbers. apply in_map_iff. exists (Z.to_nat (x - z)). split; [lia|].
  apply in_seq. lia.
Qed.
Lemma cased e i t y hs : value (put e i y) t = e i -> Forall (fun h => test e h = true) hs ->
  Forall (fun h => test (put e i y) h = true) (map (fsub i t) hs).
Proof.
  intros V F. induction F as [|h hs T F IF]; cbn; constructor; [|exact IF].
  rewrite (proj1 (proj2 (substituted _ _ _))), <- T. apply same_env. intros j. rewrite V. unfold put.
  destruct (Nat.eqb_spec j i); [subst|]; reflexivity.
Qed.
Lemma put_here e i y : put e i y i = y.
Proof. unfold put. now rewrite Nat.eqb_refl. Qed.
(* The number of a name is below lo, or one of n from there on, or has one of m remainders above:
   in each case the name is put for another one that is not negative. *)
Lemma cases_right ss : forall ns hs e, cases ss ns hs = true -> Forall (fun i => 0 <= e i) ns ->
  Forall (fun h => test e h = true) hs -> False.
Proof.
  induction ss as [|[i lo n m] ss IH]; intros ns hs e H N F; cbn [cases] in H;
    destruct (impossible ns hs) eqn:I; try exact (impossible_right ns hs e I N F); [discriminate|].
  repeat (apply andb_prop in H; destruct H as [H ?]).
  rename H into B, H2 into S, H1 into P, H0 into R. apply Z.ltb_lt in P.
  rewrite forallb_forall in S, R.
  assert (M : forall t y, 0 <= y -> value (put e i y) t = e i ->
    cases ss (i :: ns) (map (fsub i t) hs) = true -> False).
  { intros t y Y V C. apply (IH _ _ (put e i y) C); [|exact (cased e i t y hs V F)].
    constructor; [rewrite put_here; exact Y|]. eapply Forall_impl; [|exact N]. intros j J. unfold put.
    destruct (Nat.eqb j i); assumption. }
  destruct (Z.lt_ge_cases (e i) lo); [|destruct (Z.lt_ge_cases (e i) (lo + Z.of_nat n))].
  - apply (M _ (lo - 1 - e i) ltac:(lia)) in B; [exact B|]. cbn. rewrite put_here. lia.
  - apply (M (K (e i)) 0 ltac:(lia) eq_refl). apply S, numbers_in. lia.
  - set (d := e i - (lo + Z.of_nat n)) in *. assert (Q := Z.div_mod d (Z.of_nat m) ltac:(lia)).
    assert (U := Z.mod_pos_bound d _ P).
    apply (M (Plus (Times (K (Z.of_nat m)) (X i)) (K (lo + Z.of_nat n + d mod Z.of_nat m)))
      (d / Z.of_nat m)).
    + apply Z.div_pos; lia.
    + cbn. rewrite put_here. lia.
    + apply R, numbers_in. lia.
Qed.

(* A proof that formulas contradict each other: by the residues of some names, then linear; or by
   all cases of the names. *)
Inductive proof :=
| Linear (table : list tm) (c : cert)
| Residues (i : nat) (m : Z) (ps : list proof)
| Cases (ss : list spread).

Fixpoint refutes (p : proof) (hs : list fm) : bool := match p with
| Linear table c => check c (opened table hs)
| Residues i m ps => (0 <? m) && (fix each (r : Z) (ps : list proof) : bool := match ps with
  | nil => m <=? r
  | p :: ps => refutes p (map (fsub i (Plus (Times (K m) (X i)) (K r))) hs) && each (r + 1) ps
  end) 0 ps
| Cases ss => cases ss nil hs
end.

(* By induction over the proof; for Residues the number is m times a new one plus a remainder. *)
Lemma refutes_right : forall p hs e,
  refutes p hs = true -> Forall (fun h => test e h = true) hs -> False.
Proof.
  fix IH 1. intros [table c|i m ps|ss] hs e H F; cbn in H.
  { exact (check_right table e c _ H (opened_right table e hs F)). }
  2: { exact (cases_right ss nil hs e H (Forall_nil _) F). }
  apply andb_prop in H. destruct H as [P H]. apply Z.ltb_lt in P.
  assert (R := Z.mod_pos_bound (e i) m P). assert (D := Z.div_mod (e i) m).
  assert (S : 0 <= e i mod m) by lia. revert H S. generalize 0. revert ps.
  fix each 1. intros [|p ps] r H S.
  { apply Z.leb_le in H. lia. }
  apply andb_prop in H. destruct H as [H N]. destruct (Z.eq_dec r (e i mod m)) as [->|O].
  - apply (IH p _ (put e i (e i / m)) H), cased; [|exact F]. cbn. rewrite put_here. lia.
  - apply (each ps (r + 1) N). lia.
Qed.

Theorem refuted l hs p : refutes p hs = true -> given l hs -> False.
Proof. intros R G. exact (refutes_right p hs (env l) R (given_tested l hs G)). Qed.
Theorem proved l hs g p : refutes p (Not g :: hs) = true -> given l hs -> means (env l) g.
Proof.
  intros R G. destruct (tested (env l) g) as [|N]; [assumption|].
  destruct (refuted l (Not g :: hs) p R). split; assumption.
Qed.
