(* ---- No term of this file is a function of digits. ---- *)

Inductive func : Type := .
Definition computed (f : func) (l : list Z) : Z := match f with end.
