Fixpoint value_too state (mv mw : state -> state -> Prop) (E : forall s t, mv s t <-> mw s t)
  s z (V : Value state mv s z) : Value state mw s z :=
  match V with
  | least _ _ s z low smaller other =>
    least state mw s z low
      (fun w W => match smaller w W with
       | ex_intro _ t (conj M V) =>
         ex_intro _ t (conj (proj1 (E s t) M) (value_too state mv mw E t w V))
       end)
      (fun t M => match other t (proj2 (E s t) M) with
       | ex_intro _ w (conj D V) => ex_intro _ w (conj D (value_too state mv mw E t w V))
       end)
  end.

Section SameValues.
Variables (m : meaning) (g : game).
Hypothesis alike : same m g.

Lemma value_same s z : Value state (mv m g) s z <-> Value state (mv (of_data g) g) s z.
Proof. split; apply value_too; intros; [|symmetry]; apply mv_same, alike. Qed.
Theorem carried x : right (of_data g) g x -> right m g x.
Proof.
  intros ([s0 S0] & E & S & P). split; [exists s0; apply (state_same m g alike), S0|].
  split; [exact (ends_too _ _ _ (mv_same m g alike) E)|]. split.
  - intros s z K. rewrite value_same. apply S, (state_same m g alike), K.
  - intros s w K W. assert (H := P s w (proj1 (state_same m g alike s) K) W). revert H.
    destruct (chosen (strategy x) (s ++ [w])) as [r|]; [|tauto].
    intros (t & M & V). exists t. split; [apply (step_same m g alike), M|apply value_same, V].
Qed.
End SameValues.
