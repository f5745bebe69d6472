Inductive use : Type := .
Definition right_use (u : use) : bool := match u with end.
Definition told_one (l : list Z) (u : use) : Prop := match u with end.
Lemma told_right l u : right_use u = true -> told_one l u.
Proof. destruct u. Qed.
