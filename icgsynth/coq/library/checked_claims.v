(* The checker refutes what is known with the negation of what is shown. *)
Ltac by_check core proof ::= refine (by_contradiction core _ _); let l := fresh in
  intros l _; refine (refuted l _ proof _); vm_cast_no_check (eq_refl true).
