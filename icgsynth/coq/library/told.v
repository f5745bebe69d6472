(* ---- What readers say of functions of digits. ---- *)

(* This reader has the arguments of a function, as natural numbers, and its value side by side; or
   it accepts a number whose zeros at the end are k more than a multiple of m. *)
Inductive use := Uses (f : func) (r : reader) (ts : list tm) | Counts (m k : nat) (r : reader) (t : tm).
Definition right_use (u : use) : bool := match u with
| Uses Shift r [_] => DigitFunctions.machine_ok System DigitFunctions.shift_next (fun e => (e =? 0)%nat)
    (Digits.base System) 2 (machine r)
| Uses Unshift r [_] => DigitFunctions.machine_ok System DigitFunctions.unshift_next (fun _ => true)
    (Digits.base System) 2 (machine r)
| Uses Lowpart r [_] => DigitFunctions.machine_ok System DigitFunctions.low_next DigitFunctions.low_final 3 2
    (machine r)
| Uses (Nimsum m) r ts => DigitFunctions.adds System m &&
    DigitFunctions.machine_ok System (DigitFunctions.sum_next m) (fun _ => true) 1 (S (length ts)) (machine r)
| Counts m k r _ => (0 <? m)%nat && DigitFunctions.machine_ok System (DigitFunctions.zeros_next m)
    (DigitFunctions.zeros_final m k) (S m) 1 (machine r)
| _ => false
end.
Definition told_one (l : list Z) (u : use) : Prop := match u with
| Uses f r ts => 0 <= computed f (values ts l) /\
    reads r (map (Z.max 0) (values ts l) ++ [computed f (values ts l)]) = true
| Counts m k r t => reads r [Z.max 0 (value (env l) t)] =
    (DigitFunctions.zeros System (value (env l) t) mod Z.of_nat m =? Z.of_nat k)
end.
Lemma told_right l u : right_use u = true -> told_one l u.
Proof.
  destruct u as [f r ts|m k r t]; cbn [right_use told_one].
  - destruct f as [| | | |m].
    1-4: destruct ts as [|t [|t2 ts]]; try discriminate; intros M.
    + destruct (DigitFunctions.the_shift System System_right _ M (value (env l) t) _ eq_refl) as (y & P & E & R).
      cbn [values map computed app]. rewrite E. exact (conj P R).
    + destruct (DigitFunctions.the_unshift System System_right _ M (value (env l) t) _ eq_refl) as (y & P & E & R).
      cbn [values map computed app]. rewrite E. exact (conj P R).
    + destruct (DigitFunctions.the_lowpart System System_right _ M (value (env l) t) _ eq_refl) as (y & P & E & R).
      cbn [values map computed app]. rewrite E. exact (conj P R).
    + intros M. destruct (DigitFunctions.the_nimsum System System_right m (length ts) _ M (values ts l) _
        (map_length _ _) eq_refl) as (y & P & E & R).
      cbn [computed]. rewrite E. exact (conj P R).
  - intros M. apply andb_prop in M. destruct M as [P M]. apply Nat.ltb_lt in P.
    exact (DigitFunctions.the_zeros System System_right m k _ P M (value (env l) t) _ eq_refl).
Qed.
