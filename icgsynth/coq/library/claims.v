(* ---- What has to hold of an answer, as formulas for all integers. ---- *)

(* Terms in the place of the names: X 0 becomes the first of l. *)
Fixpoint tsubs (l : list tm) (t : tm) : tm := match t with
| K z => K z
| X i => nth i l (K 0)
| Plus a b => match tsubs l b with Opp c => Minus (tsubs l a) c | c => Plus (tsubs l a) c end
| Minus a b => Minus (tsubs l a) (tsubs l b)
| Opp a => Opp (tsubs l a)
| Times a b => Times (tsubs l a) (tsubs l b)
| Quot a b => Quot (tsubs l a) (tsubs l b)
| Rest a b => Rest (tsubs l a) (tsubs l b)
| Least a b => Least (tsubs l a) (tsubs l b)
| Most a b => Most (tsubs l a) (tsubs l b)
| Size a => Size (tsubs l a)
| Cond f a b => Cond (fsubs l f) (tsubs l a) (tsubs l b)
| Of f ts => Of f (esubs l ts)
end
with fsubs (l : list tm) (f : fm) : fm := match f with
| Yes => Yes
| No => No
| Eq a b => Eq (tsubs l a) (tsubs l b)
| Ne a b => Ne (tsubs l a) (tsubs l b)
| Lt a b => Lt (tsubs l a) (tsubs l b)
| Le a b => Le (tsubs l a) (tsubs l b)
| Gt a b => Gt (tsubs l a) (tsubs l b)
| Ge a b => Ge (tsubs l a) (tsubs l b)
| And f g => And (fsubs l f) (fsubs l g)
| Or f g => Or (fsubs l f) (fsubs l g)
| Not f => Not (fsubs l f)
| Imp f g => Imp (fsubs l f) (fsubs l g)
| Iff f g => Iff (fsubs l f) (fsubs l g)
| Reads r ts => Reads r (esubs l ts)
end
with esubs (l : list tm) (ts : tms) : tms := match ts with
| Nil => Nil
| Next t ts => Next (tsubs l t) (esubs l ts)
end.
Lemma subs_right l e :
  (forall t, value (env e) (tsubs l t) = value (env (values l e)) t) /\
  (forall f, test (env e) (fsubs l f) = test (env (values l e)) f) /\
  (forall ts, each (env e) (esubs l ts) = each (env (values l e)) ts).
Proof.
  apply all_both; cbn [tsubs fsubs esubs value test each]; intros;
    try (repeat match goal with H : _ = value _ _ |- _ => rewrite <- H
      | H : _ = test _ _ |- _ => rewrite <- H
      | H : _ = each _ _ |- _ => rewrite <- H end; reflexivity).
  - unfold env at 2, values. rewrite <- (map_nth (value (env e)) l (K 0) i). reflexivity.
  - rewrite <- H, <- H0. destruct (tsubs l b); reflexivity.
Qed.
Lemma says_subs l e f : says (fsubs l f) e <-> says f (values l e).
Proof.
  unfold says. assert (H := proj1 (proj2 (subs_right l e)) f).
  destruct (tested (env e) (fsubs l f)), (tested (env (values l e)) f);
    split; intros; try assumption; try discriminate; contradiction.
Qed.

(* For all lists of so many numbers: if the known formulas hold, so does the shown one. *)
Record claim := Claim { over : nat; supposed : list fm; shown : fm }.
Fixpoint follows (l : list Z) (hs : list fm) (f : fm) : Prop := match hs with
| nil => says f l
| h :: hs => says h l -> follows l hs f
end.
Definition holds (c : claim) : Prop :=
  forall l, length l = over c -> follows l (supposed c) (shown c).
Lemma follows_all l f : forall hs, follows l hs f <-> (Forall (fun h => says h l) hs -> says f l).
Proof.
  induction hs as [|h hs IH]; cbn [follows].
  - split; [auto|intros H; exact (H (Forall_nil _))].
  - rewrite IH. split; [intros H F; apply Forall_cons_iff in F; tauto|intros H S F; exact (H (Forall_cons h S F))].
Qed.
Lemma used c l : holds c -> length l = over c -> Forall (fun h => says h l) (supposed c) ->
  says (shown c) l.
Proof. intros H L. exact (proj1 (follows_all l _ _) (H l L)). Qed.

(* A claim is shown for the numbers one by one. *)
Fixpoint every (n : nat) (P : list Z -> Prop) : Prop := match n with
| O => P nil
| S n => forall z, every n (fun l => P (z :: l))
end.
Lemma every_right n : forall P, every n P -> forall l, length l = n -> P l.
Proof.
  induction n as [|n IH]; intros P E [|z l] L; try discriminate; [exact E|].
  exact (IH (fun l => P (z :: l)) (E z) l (eq_add_S _ _ L)).
Qed.
(* Some of the known formulas, by their places. *)
Definition pick (core : list nat) (hs : list fm) : list fm := map (fun i => nth i hs Yes) core.
Lemma picked core hs l : Forall (fun h => says h l) hs -> Forall (fun h => says h l) (pick core hs).
Proof.
  intros F. induction core as [|i core IH]; cbn; constructor; [|exact IH]. clear IH.
  revert i. induction F as [|h hs S F IH]; intros [|i]; try exact I; [exact S|exact (IH i)].
Qed.
Lemma from_core core c :
  every (over c) (fun l => follows l (pick core (supposed c)) (shown c)) -> holds c.
Proof.
  intros E l L. apply follows_all. intros F.
  apply (proj1 (follows_all l _ _) (every_right _ _ E l L)). apply picked. exact F.
Qed.
(* The first n names; substituted for names, nothing changes. *)
Definition first (n : nat) : list tm := map X (seq 0 n).
Definition names (g : game) : list tm := first (width g).
Definition here (g : game) : fm -> fm := fsubs (names g).
Lemma unchanged n s p : length s = n -> values (first n) (s ++ p) = s.
Proof.
  unfold first, values. intros <-. rewrite map_map. cbn [value]. unfold env.
  induction s as [|z s IH] using rev_ind; [reflexivity|].
  rewrite app_length. cbn [length]. rewrite Nat.add_1_r, seq_S, map_app. cbn [map plus]. f_equal.
  - rewrite <- IH at 2. apply map_ext_in. intros i I. apply in_seq in I. rewrite <- app_assoc.
    rewrite !app_nth1 by lia. reflexivity.
  - rewrite <- app_assoc, app_nth2, Nat.sub_diag by lia. reflexivity.
Qed.
Lemma unmoved g s p : length s = width g -> values (names g) (s ++ p) = s.
Proof. exact (unchanged (width g) s p). Qed.
Lemma says_first n s p f : length s = n -> says (fsubs (first n) f) (s ++ p) <-> says f s.
Proof. intros L. rewrite says_subs, (unchanged n s p L). reflexivity. Qed.
Lemma says_here g s p f : length s = width g -> says (here g f) (s ++ p) <-> says f s.
Proof. exact (says_first (width g) s p f). Qed.

(* What is known of a move by the action a. *)
Definition moved (g : game) (a : action) : list fm :=
  [here g (legal g); Not (here g (ending g)); pre a; fsubs (effects a) (legal g)].
Fixpoint falls (g : game) (ms : list (tm * Z)) (l : list tm) : fm := match ms with
| nil => No
| (m, b) :: ms => let old := tsubs (names g) m in
    Or (And (Le (K b) old) (Lt (tsubs l m) old)) (And (Eq (tsubs l m) old) (falls g ms l))
end.
(* That the action at place i applies with these numbers, and the state after it. *)
Definition result (g : game) (i : nat) (ts : list tm) : list tm :=
  match nth_error (actions g) i with
  | Some a => map (tsubs (names g ++ ts)) (effects a)
  | None => nil
  end.
Definition fires (g : game) (i : nat) (ts : list tm) : list fm :=
  match nth_error (actions g) i with
  | Some a => [Not (here g (ending g)); fsubs (names g ++ ts) (pre a); fsubs (result g i ts) (legal g)]
  | None => [No]
  end.
(* Rules that reach an aim. They are about the numbers of a state and so many more after them;
   the aim is said of the terms of the state that a rule leads to. *)
Fixpoint rule_claims (g : game) (more : nat) (aim : list tm -> fm) (last hs : list fm)
  (rs : list rule) : list claim := match rs with
  | nil => [Claim (width g + more) (hs ++ last) No]
  | r :: rs => map (Claim (width g + more) (hs ++ [when r])) (fires g (play r) (taken r) ++
      [aim (result g (play r) (taken r))]) ++
      rule_claims g more aim last (hs ++ [Not (when r)]) rs
  end.
(* A move that no rule names: where the condition of a try holds, of a state and of so many numbers
   after it, one of its offers has natural numbers, guessed, that meet what is said of them; then
   the action at a place applies with numbers that follow from all these. *)
Record offer := { guessed : nat; met : fm; does : nat; taking : list tm }.
Record try := { whence : fm; offers : list offer }.
Definition offered (g : game) (more : nat) (t : try) : Prop := forall l,
  length l = (width g + more)%nat -> says (fsubs (first (width g)) (legal g)) l -> says (whence t) l ->
  Exists (fun o => exists y, length y = guessed o /\ Forall (Z.le 0) y /\ says (met o) (l ++ y))
    (offers t).
Definition offer_claims (g : game) (more : nat) (aim : list tm -> list fm) (t : try) (o : offer) :
  list claim := let n := (width g + more)%nat in
  map (Claim (n + guessed o) (here g (legal g) :: fsubs (first n) (whence t) ::
      map (fun i => Le (K 0) (X i)) (seq n (guessed o)) ++ [met o]))
    (fires g (does o) (taking o) ++ aim (result g (does o) (taking o))).
Definition try_claims (g : game) (more : nat) (aim : list tm -> list fm) (t : try) : list claim :=
  flat_map (offer_claims g more aim t) (offers t).

(* What helps the proof: a legal state; what each move decreases, with a lower bound; moves, or
   formulas, of which one applies, or holds, wherever there is any move; where there are moves at
   all, and where there are those that are sought. *)
Record hints := { some : state; measures : list (tm * Z); movers : list (nat * list tm);
  going : list fm; ready : list try; sought : list try }.
(* One claim for each action, with what else is known and what is shown of the terms after it. *)
Definition move_claims (g : game) (more : list tm -> list fm) (shown : list tm -> fm) :
  list claim := map (fun a =>
    Claim (width g + takes a) (moved g a ++ more (effects a)) (shown (effects a))) (actions g).
Definition rank_claims (g : game) (h : hints) : list claim :=
  move_claims g (fun _ => nil) (falls g (measures h)).
Definition fits (g : game) (i : nat) (ts : list tm) : bool := match nth_error (actions g) i with
| Some a => Nat.eqb (length ts) (takes a)
| None => true
end.
Definition sized (g : game) (rs : list rule) (h : hints) : bool :=
  Nat.eqb (length (some h)) (width g) && test (env (some h)) (legal g) &&
  forallb (fun a => Nat.eqb (length (effects a)) (width g)) (actions g) &&
  forallb (fun r => fits g (play r) (taken r)) rs &&
  forallb (fun m => fits g (fst m) (snd m)) (movers h) &&
  forallb (fun t => forallb (fun o => fits g (does o) (taking o)) (offers t)) (ready h ++ sought h).

Section Proof.
Variables (g : game) (rs : list rule) (h : hints).
Hypothesis sizes : sized g rs h = true.

Lemma sizes_all : (length (some h) = width g /\ test (env (some h)) (legal g) = true) /\
  (forall a, In a (actions g) -> length (effects a) = width g) /\
  forallb (fun r => fits g (play r) (taken r)) rs = true /\
  forallb (fun m => fits g (fst m) (snd m)) (movers h) = true /\
  (forall t o, In t (ready h ++ sought h) -> In o (offers t) -> fits g (does o) (taking o) = true).
Proof.
  assert (S := sizes). unfold sized in S. apply andb_prop in S. destruct S as [S O].
  apply andb_prop in S. destruct S as [S M].
  apply andb_prop in S. destruct S as [S R]. apply andb_prop in S. destruct S as [S E].
  apply andb_prop in S. destruct S as [L T]. apply Nat.eqb_eq in L. rewrite forallb_forall in E, O.
  repeat split; auto; [intros a I; apply Nat.eqb_eq, E, I|].
  intros t o I J. assert (F := O t I). rewrite forallb_forall in F. exact (F o J).
Qed.
Lemma some_state : exists s, is_state (of_data g) g s.
Proof.
  destruct sizes_all as [[L T] _]. exists (some h). split; [exact L|].
  cbn. unfold says. destruct (tested (env (some h)) (legal g)); [assumption|discriminate].
Qed.
Lemma stays s t : mv (of_data g) g s t -> is_state (of_data g) g t.
Proof. intros (i & p & a & M). apply M. Qed.
Lemma was_moved s i p t : step (of_data g) g s i p t -> exists a, In a (actions g) /\
  length s = width g /\ length (s ++ p) = (width g + takes a)%nat /\
  Forall (fun f => says f (s ++ p)) (moved g a) /\ t = values (effects a) (s ++ p).
Proof.
  intros (a & A & C & [W L] & E & P & -> & [V T]). exists a.
  split; [exact (nth_error_In _ _ A)|]. split; [exact W|].
  split; [rewrite app_length; congruence|]. split; [|reflexivity].
  cbn in L, E, P, T. rewrite A in P. repeat constructor; try assumption.
  - apply says_here; assumption.
  - intros H. apply E. apply (says_here g s p); assumption.
  - apply says_subs. exact T.
Qed.
(* What the claims about moves say of a move. *)
Lemma moves_show more shown s t :
  Forall holds (move_claims g more shown) -> mv (of_data g) g s t ->
  exists a p, length s = width g /\ t = values (effects a) (s ++ p) /\
    (Forall (fun f => says f (s ++ p)) (more (effects a)) -> says (shown (effects a)) (s ++ p)).
Proof.
  intros C (i & p & M). destruct (was_moved s i p t M) as (a & A & W & L & K & E).
  exists a, p. split; [exact W|]. split; [exact E|]. intros F.
  unfold move_claims in C. rewrite Forall_map, Forall_forall in C. apply (used _ _ (C a A) L).
  apply Forall_app. split; assumption.
Qed.
Lemma fell s p a : length s = width g -> forall ms, says (falls g ms (effects a)) (s ++ p) ->
  drops state (map (fun m => (fun s : state => value (env s) (fst m), snd m)) ms)
    (values (effects a) (s ++ p)) s.
Proof.
  intros W. induction ms as [|[m b] ms IH]; cbn [falls map fst snd drops]; [intros []|].
  intros [[B D]|[E R]]; cbn [means value] in *; rewrite ?(proj1 (subs_right _ _)), ?(unmoved g s p W) in *;
    [left; split; assumption|right; split; [exact E|exact (IH R)]].
Qed.
Lemma ends : Forall holds (rank_claims g h) -> well_founded (fun t s => mv (of_data g) g s t).
Proof.
  intros C. apply (ends_by state (mv (of_data g) g)
    (map (fun m => (fun s : state => value (env s) (fst m), snd m)) (measures h))).
  intros s t M. destruct (moves_show _ _ s t C M) as (a & p & W & -> & F).
  apply fell; [exact W|]. apply F. constructor.
Qed.
Lemma fired s q i ts : is_state (of_data g) g s -> fits g i ts = true ->
  Forall (fun f => says f (s ++ q)) (fires g i ts) ->
  step (of_data g) g s i (values ts (s ++ q)) (values (result g i ts) (s ++ q)).
Proof.
  unfold fires, fits, result. intros [W L] F H.
  destruct (nth_error (actions g) i) as [a|] eqn:A; [|inversion H; contradiction].
  rewrite !Forall_cons_iff in H. destruct H as (E & P & T & _).
  assert (Q : values (names g ++ ts) (s ++ q) = s ++ values ts (s ++ q)).
  { unfold values. rewrite map_app. f_equal. exact (unmoved g s q W). }
  assert (R : values (map (tsubs (names g ++ ts)) (effects a)) (s ++ q) =
    values (effects a) (s ++ values ts (s ++ q))).
  { unfold values at 1. rewrite map_map. rewrite <- Q. apply map_ext. intros t.
    apply (proj1 (subs_right _ _)). }
  apply says_subs in P, T. rewrite Q in P. rewrite R in *. exists a. split; [exact A|].
  split; [unfold values; rewrite map_length; apply Nat.eqb_eq; exact F|].
  split; [split; assumption|]. split; [intros N; apply E, (says_here g s q _ W), N|].
  split; [cbn; rewrite A; exact P|]. split; [reflexivity|].
  split; [|exact T]. unfold values. rewrite map_length.
  exact (proj1 (proj2 sizes_all) a (nth_error_In _ _ A)).
Qed.
(* Of rules that fulfil their claims the first that applies reaches the aim. *)
Lemma by_rules s q aim last : is_state (of_data g) g s -> forall l hs,
  forallb (fun r => fits g (play r) (taken r)) l = true ->
  Forall holds (rule_claims g (length q) aim last hs l) ->
  Forall (fun f => says f (s ++ q)) hs ->
  match chosen l (s ++ q) with
  | Some r => let t := result g (play r) (taken r) in
      step (of_data g) g s (play r) (values (taken r) (s ++ q)) (values t (s ++ q)) /\
      says (aim t) (s ++ q)
  | None => Forall (fun f => says f (s ++ q)) last -> False
  end.
Proof.
  intros S. assert (N : length (s ++ q) = (width g + length q)%nat).
  { rewrite app_length. rewrite (proj1 S). reflexivity. }
  induction l as [|r l IH]; intros hs Z C H; cbn [chosen rule_claims forallb] in *.
  { intros B. apply Forall_cons_iff in C. destruct C as [Q _]. apply (used _ _ Q N).
    apply Forall_app. split; assumption. }
  apply andb_prop in Z. destruct Z as [F Z]. apply Forall_app in C. destruct C as [C D].
  destruct (test (env (s ++ q)) (when r)) eqn:Y.
  - apply yes in Y. assert (K : Forall (fun f => says f (s ++ q)) (hs ++ [when r])).
    { apply Forall_app. split; [exact H|repeat constructor; exact Y]. }
    rewrite Forall_map in C. apply Forall_app in C. destruct C as [C B]. split.
    + apply fired; [exact S|exact F|]. revert C. apply Forall_impl. intros f Q.
      exact (used _ _ Q N K).
    + apply Forall_cons_iff in B. destruct B as [Q _]. exact (used _ _ Q N K).
  - apply (IH _ Z D). apply Forall_app. split; [exact H|repeat constructor; exact (no _ _ Y)].
Qed.
(* Where the condition of a try holds there is a move, and what its claims say of the next state. *)
Lemma by_try more aim t s q : In t (ready h ++ sought h) -> is_state (of_data g) g s ->
  length q = more -> says (whence t) (s ++ q) -> offered g more t ->
  Forall holds (try_claims g more aim t) ->
  exists i ts y, step (of_data g) g s i (values ts (s ++ q ++ y)) (values (result g i ts) (s ++ q ++ y)) /\
    Forall (fun f => says f (s ++ q ++ y)) (aim (result g i ts)).
Proof.
  intros I S M C O F. assert (L : length (s ++ q) = (width g + more)%nat).
  { rewrite app_length. rewrite (proj1 S), M. reflexivity. }
  assert (G : says (fsubs (first (width g)) (legal g)) (s ++ q)) by (apply says_first; apply S).
  specialize (O _ L G C). apply Exists_exists in O. destruct O as (o & J & y & N & P & W).
  exists (does o), (taking o), y. unfold try_claims in F. rewrite Forall_flat_map, Forall_forall in F.
  specialize (F o J). unfold offer_claims in F. rewrite Forall_map in F.
  assert (R : Forall (fun f => says f (s ++ q ++ y))
    (fires g (does o) (taking o) ++ aim (result g (does o) (taking o)))).
  { rewrite <- app_assoc in W. revert F. apply Forall_impl. intros f F. apply (used _ _ F).
    - cbn [over]. rewrite app_assoc, app_length, L, N. reflexivity.
    - cbn [supposed]. constructor; [apply (says_here g s (q ++ y)); apply S|].
      constructor; [rewrite app_assoc; apply (says_first _ (s ++ q) y _ L); exact C|].
      apply Forall_app. split; [|repeat constructor; exact W]. apply Forall_map, Forall_forall.
      intros i B. apply in_seq in B. unfold says. cbn [means value]. unfold env.
      rewrite app_assoc, app_nth2 by lia. rewrite Forall_forall in P. apply P, nth_In. lia. }
  apply Forall_app in R. destruct R as [R A]. split; [|exact A].
  destruct sizes_all as (_ & _ & _ & _ & Z). exact (fired s (q ++ y) _ _ S (Z t o I J) R).
Qed.
End Proof.

(* How a claim is shown: what is shown is supposed at this place; "lia" has it from what is
   supposed at these places; a computed check has it from them, or automata do; it is a lemma; or
   another formula is shown first, and supposed in the end. *)
Inductive way : Type :=
| Itself (i : nat)
| Lia (core : list nat)
| Checked (core : list nat) {P : Type} (proof : P)
| Read (core : list nat) {P : Type} (proof : P)
| Through (f : fm) (v w : way)
| Known {P : Prop} (lemma : P).

Ltac in_numbers := cbv beta iota zeta delta
  [over supposed shown every pick map nth follows says means value test env each].
Lemma through f c : holds (Claim (over c) (supposed c) f) ->
  holds (Claim (over c) (supposed c ++ [f]) (shown c)) -> holds c.
Proof.
  intros H K l L. apply follows_all. intros F. apply (used _ l K L), Forall_app.
  split; [exact F|repeat constructor; exact (used _ l H L F)].
Qed.
Ltac by_lia core := refine (from_core core _ _); in_numbers; intros; arith.
Ltac by_check core proof := fail.
Ltac by_reading core proof := fail.
Ltac computed_claim := let c := lazymatch goal with |- holds ?c => eval lazy in c end in change (holds c).
Ltac show w := lazymatch w with
  | Itself ?i => refine (from_core (cons i nil) _ _); in_numbers; intros; assumption
  | Lia ?core => by_lia core
  | Checked ?core ?proof => by_check core proof
  | Read ?core ?proof => by_reading core proof
  | Through ?f ?v ?w => refine (through f _ _ _); computed_claim; [once (show v)|show w]
  | Known ?lemma => match goal with |- holds ?c =>
      exact (every_right (over c) (fun l => follows l (supposed c) (shown c)) lemma)
    end
  end.

(* The claims are a computed list; each is taken from its place and shown. *)
Definition no_claim := Claim 0 nil Yes.
Lemma next_claim k l :
  holds (nth k l no_claim) -> Forall holds (skipn (S k) l) -> Forall holds (skipn k l).
Proof.
  revert k. induction l as [|c l IH]; intros [|k] H F; cbn in *; auto.
Qed.
Lemma last_claim k l : Nat.leb (length l) k = true -> Forall holds (skipn k l).
Proof. intros H. apply Nat.leb_le in H. rewrite (skipn_all2 l H). constructor. Qed.
Ltac one_by_one k ways := lazymatch ways with
  | nil => apply (last_claim k); vm_cast_no_check (eq_refl true)
  | cons ?w ?ways => apply (next_claim k);
      [computed_claim;
       first [once (show w)|fail 1 "The claim at place" k "is not shown."]
      |one_by_one (S k) ways]
  end.
(* That there are offers is shown by others, for one try after the other. *)
Ltac show_try w := fail.
Ltac each_try ways := lazymatch ways with
  | nil => constructor
  | cons ?w ?ways => constructor; [show_try w|each_try ways]
  end.
Ltac show_tries ways := lazymatch goal with |- Forall (offered ?g ?more) ?l =>
  let g := eval lazy in g in let l := eval lazy in l in change (Forall (offered g more) l); let ws := eval unfold ways in ways in each_try ws end.
Ltac show_claims ways := lazymatch goal with |- Forall holds ?claims =>
  change (Forall holds (skipn 0 claims)); let ws := eval unfold ways in ways in one_by_one O ws end.
Ltac show_all theorem claims ways := apply (theorem claims);
  [vm_cast_no_check (eq_refl true)|vm_cast_no_check (eq_refl claims)|show_claims ways|..].
