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
