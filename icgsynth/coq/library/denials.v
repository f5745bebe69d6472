(* The known formulas at some places and the negation of the shown one. *)
Definition denied (core : list nat) (c : claim) : list fm := match shown c with
| No => pick core (supposed c)
| f => Not f :: pick core (supposed c)
end.
(* A claim holds if some of its suppositions and its denial contradict each other. *)
Lemma by_contradiction core c :
  (forall l, length l = over c -> given l (denied core c) -> False) -> holds c.
Proof.
  intros H l L. apply follows_all. intros F. apply (picked core) in F. unfold says in *.
  assert (G : given l (pick core (supposed c))).
  { induction F as [|f fs S F IH]; [exact I|exact (conj S IH)]. }
  assert (D := H l L). unfold denied in D.
  destruct (tested (env l) (shown c)) as [S|N]; [exact S|]. revert D N.
  destruct (shown c); intros D N; destruct D; first [exact G|exact (conj N G)].
Qed.
