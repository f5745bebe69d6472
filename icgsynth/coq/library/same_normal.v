Fixpoint won_too state (mv mw : state -> state -> Prop) (E : forall s t, mv s t <-> mw s t)
  s (W : Won state mv s) : Won state mw s :=
  match W with
  | won_by _ _ s t M L => won_by state mw s t (proj1 (E s t) M) (lost_too state mv mw E t L)
  end
with lost_too state (mv mw : state -> state -> Prop) (E : forall s t, mv s t <-> mw s t)
  s (L : Lost state mv s) : Lost state mw s :=
  match L with
  | lost_all _ _ s every =>
    lost_all state mw s (fun t M => won_too state mv mw E t (every t (proj2 (E s t) M)))
  end.
