(* ---- No formula of this file reads digits. ---- *)

Inductive reader : Type := .
Definition reads (r : reader) (l : list Z) : bool := match r with end.
