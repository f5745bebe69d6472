(* ---- The functions of digits that terms of this file may have. ---- *)

Notation shift := (DigitFunctions.shift System).
Notation unshift := (DigitFunctions.unshift System).
Notation lowpart := (DigitFunctions.lowpart System).
Notation zeros := (DigitFunctions.zeros System).
Notation nimsum := (DigitFunctions.nimsum System).
Inductive func := Shift | Unshift | Lowpart | Zeros | Nimsum (m : nat).
Definition computed (f : func) (l : list Z) : Z := match f, l with
| Shift, x :: _ => shift x
| Unshift, x :: _ => unshift x
| Lowpart, x :: _ => lowpart x
| Zeros, x :: _ => zeros x
| Nimsum m, l => nimsum m l
| _, nil => 0
end.
