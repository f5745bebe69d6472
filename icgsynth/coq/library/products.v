(* ---- Products, quotients and remainders of unknowns: what linear arithmetic is told of them. ---- *)

Lemma named (x : Z) : exists y, x = y.
Proof. exists x. reflexivity. Qed.

(* p is the product of e and m. *)
Lemma product_case e p m c : p = e * m -> e = c -> p = c * m.
Proof. congruence. Qed.
Lemma product_fixed e p m c : p = e * m -> m = c -> p = c * e.
Proof. intros. subst. ring. Qed.
Lemma product_bound e p m c : p = e * m -> 0 <= m -> (c <= e -> c * m <= p) /\ (e <= c -> p <= c * m).
Proof. intros -> M. split; intros C; apply Z.mul_le_mono_nonneg_r; assumption. Qed.
Lemma product_residue e p m c r : p = e * m -> e mod c = r -> p mod c = (r * m) mod c.
Proof. intros -> <-. symmetry. apply Zmult_mod_idemp_l. Qed.
Lemma product_tangent e p m c d : p = e * m ->
  ((c <= e /\ d <= m) \/ (e <= c /\ m <= d) -> c * m + d * e - c * d <= p) /\
  ((c <= e /\ m <= d) \/ (e <= c /\ d <= m) -> p <= c * m + d * e - c * d).
Proof.
  intros ->. split; intros [[C D]|[C D]].
  - assert (0 <= (e - c) * (m - d)) by (apply Z.mul_nonneg_nonneg; lia). lia.
  - assert (0 <= (c - e) * (d - m)) by (apply Z.mul_nonneg_nonneg; lia). lia.
  - assert (0 <= (e - c) * (d - m)) by (apply Z.mul_nonneg_nonneg; lia). lia.
  - assert (0 <= (c - e) * (m - d)) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.
Lemma product_divided x m q p r : x / m = q /\ x mod m = r /\ p = q * m ->
  1 <= m -> x = p + r /\ 0 <= r /\ r < m.
Proof.
  intros (<- & <- & ->) M. assert (D := Z.div_mod x m). assert (B := Z.mod_pos_bound x m). lia.
Qed.
Lemma product_split x m d whole outer rest :
  whole = x * d /\ outer = x / m * d * m /\ rest = x mod m * d ->
  1 <= m -> whole = outer + rest.
Proof.
  intros (-> & -> & ->) M. rewrite (Z.div_mod x m) at 1 by lia. ring.
Qed.

(* Two terms that are the same once what is divided is put in one order. *)
Ltac aligned := repeat match goal with
  | |- context [?x mod ?m] => match goal with
    | |- context [?y mod ?k] =>
        first [constr_eq (x mod m) (y mod k); fail 1|replace (y mod k) with (x mod m) by (f_equal; ring)]
    end
  | |- context [?x / ?m] => match goal with
    | |- context [?y / ?k] =>
        first [constr_eq (x / m) (y / k); fail 1|replace (y / k) with (x / m) by (f_equal; ring)]
    end
  end.
Ltac same := subst; repeat split; first [reflexivity|ring|aligned; ring].
