(* ---- Formulas of linear arithmetic as data, and what they mean. ---- *)

Inductive tm :=
| K (z : Z) | X (i : nat) | Plus (a b : tm) | Minus (a b : tm) | Opp (a : tm) | Times (a b : tm)
| Quot (a b : tm) | Rest (a b : tm) | Least (a b : tm) | Most (a b : tm) | Size (a : tm)
| Cond (f : fm) (a b : tm) | Of (f : func) (ts : tms)
with fm :=
| Yes | No | Eq (a b : tm) | Ne (a b : tm) | Lt (a b : tm) | Le (a b : tm) | Gt (a b : tm)
| Ge (a b : tm) | And (f g : fm) | Or (f g : fm) | Not (f : fm) | Imp (f g : fm) | Iff (f g : fm)
| Reads (r : reader) (ts : tms)
with tms := Nil | Next (t : tm) (ts : tms).

Fixpoint value (e : nat -> Z) (t : tm) : Z := match t with
| K z => z
| X i => e i
| Plus a b => value e a + value e b
| Minus a b => value e a - value e b
| Opp a => - value e a
| Times a b => value e a * value e b
| Quot a b => value e a / value e b
| Rest a b => value e a mod value e b
| Least a b => Z.min (value e a) (value e b)
| Most a b => Z.max (value e a) (value e b)
| Size a => Z.abs (value e a)
| Cond f a b => if test e f then value e a else value e b
| Of f ts => computed f (each e ts)
end
with test (e : nat -> Z) (f : fm) : bool := match f with
| Yes => true
| No => false
| Eq a b => value e a =? value e b
| Ne a b => negb (value e a =? value e b)
| Lt a b => value e a <? value e b
| Le a b => value e a <=? value e b
| Gt a b => value e a >? value e b
| Ge a b => value e a >=? value e b
| And f g => test e f && test e g
| Or f g => test e f || test e g
| Not f => negb (test e f)
| Imp f g => implb (test e f) (test e g)
| Iff f g => eqb (test e f) (test e g)
| Reads r ts => reads r (each e ts)
end
with each (e : nat -> Z) (ts : tms) : list Z := match ts with
| Nil => nil
| Next t ts => value e t :: each e ts
end.

Fixpoint means (e : nat -> Z) (f : fm) : Prop := match f with
| Yes => True
| No => False
| Eq a b => value e a = value e b
| Ne a b => value e a <> value e b
| Lt a b => value e a < value e b
| Le a b => value e a <= value e b
| Gt a b => value e a > value e b
| Ge a b => value e a >= value e b
| And f g => means e f /\ means e g
| Or f g => means e f \/ means e g
| Not f => ~ means e f
| Imp f g => means e f -> means e g
| Iff f g => means e f <-> means e g
| Reads r ts => reads r (each e ts) = true
end.

Lemma tested e f : reflect (means e f) (test e f).
Proof.
  induction f as [| |a b|a b|a b|a b|a b|a b|f IF g IG|f IF g IG|f IF|f IF g IG|f IF g IG|r ts]; cbn.
  - left. exact I.
  - right. exact (fun x => x).
  - apply Z.eqb_spec.
  - destruct (Z.eqb_spec (value e a) (value e b)); constructor; tauto.
  - apply Z.ltb_spec0.
  - apply Z.leb_spec0.
  - rewrite Z.gtb_ltb. destruct (Z.ltb_spec0 (value e b) (value e a)); constructor; lia.
  - rewrite Z.geb_leb. destruct (Z.leb_spec0 (value e b) (value e a)); constructor; lia.
  - destruct IF, IG; constructor; tauto.
  - destruct IF, IG; constructor; tauto.
  - destruct IF; constructor; tauto.
  - destruct IF, IG; constructor; tauto.
  - destruct IF, IG; constructor; tauto.
  - destruct (reads r _); constructor; [reflexivity|discriminate].
Qed.

(* The names of a formula as a list: the first is X 0. *)
Definition env (l : list Z) (i : nat) : Z := nth i l 0.

Lemma yes e f : test e f = true -> means e f.
Proof. destruct (tested e f); [auto|discriminate]. Qed.
Lemma no e f : test e f = false -> means e (Not f).
Proof. destruct (tested e f); [discriminate|auto]. Qed.

Scheme tm_both := Induction for tm Sort Prop with fm_both := Induction for fm Sort Prop
  with tms_both := Induction for tms Sort Prop.
Combined Scheme all_both from tm_both, fm_both, tms_both.

(* Formulas that hold of the numbers of a list. *)
Fixpoint given (l : list Z) (hs : list fm) : Prop :=
  match hs with nil => True | h :: hs => means (env l) h /\ given l hs end.
Lemma given_tested l hs : given l hs -> Forall (fun h => test (env l) h = true) hs.
Proof.
  induction hs as [|h hs IH]; intros G; constructor.
  - destruct (tested (env l) h) as [|N]; [reflexivity|destruct N; exact (proj1 G)].
  - exact (IH (proj2 G)).
Qed.
(* The computation is done once, by the kernel. *)
Ltac checked theorem facts :=
  refine (theorem _ _); [vm_cast_no_check (eq_refl true)|exact facts].
