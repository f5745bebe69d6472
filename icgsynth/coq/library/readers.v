(* A reader accepts these numbers, side by side. *)
Definition reads (r : reader) (l : list Z) : bool := Digits.recognised System (machine r) l.
