(* ---- What is right of who wins by the data is right of conditions that say the same. ---- *)

Section SameSides.
Variables (m : meaning) (g : game).
Hypothesis alike : same m g.

Lemma won_same s : Won state (mv m g) s <-> Won state (mv (of_data g) g) s.
Proof. split; apply won_too; intros; [|symmetry]; apply mv_same, alike. Qed.
Lemma lost_same s : Lost state (mv m g) s <-> Lost state (mv (of_data g) g) s.
Proof. split; apply lost_too; intros; [|symmetry]; apply mv_same, alike. Qed.
Theorem carried x : right (of_data g) g x -> right m g x.
Proof.
  intros ([s0 S0] & E & S & P). split; [exists s0; apply (state_same m g alike), S0|].
  split; [exact (ends_too _ _ _ (mv_same m g alike) E)|]. split.
  - intros s K. rewrite won_same, lost_same. apply S, (state_same m g alike), K.
  - intros s K W. assert (H := P s (proj1 (state_same m g alike s) K) W). revert H.
    destruct (chosen (strategy x) s) as [r|].
    + intros (t & M & L). exists t. split; [apply (step_same m g alike), M|apply lost_same, L].
    + assert (C : whole x = false /\ (exists t, mv (of_data g) g s t /\ Lost state (mv (of_data g) g) t) ->
        whole x = false /\ exists t, mv m g s t /\ Lost state (mv m g) t).
      { intros (N & t & M & L). split; [exact N|]. exists t.
        split; [apply (mv_same m g alike), M|apply lost_same, L]. }
      first [exact C|intros [N|H]; [left; intros t M; exact (N t (proj1 (mv_same m g alike s t) M))
        |right; exact (C H)]].
Qed.
End SameSides.
