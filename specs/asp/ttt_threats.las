% Rows of three with threats and forks given as background: shorter hypotheses.
mine(C) :- next(has(P,C)), does(P,_).
theirs(C) :- next(has(Q,C)), does(P,_), Q != P.
line(C,D,E) :- in_row(R,I,C), in_row(R,J,D), in_row(R,K,E), I != J, J != K, I != K.
won_by_me :- mine(C), mine(D), mine(E), line(C,D,E).
my_threat(E) :- mine(C), mine(D), next(free(E)), line(C,D,E).
their_threat(E) :- theirs(C), theirs(D), next(free(E)), line(C,D,E).
my_way(R) :- in_row(R,_,_), not blocked_me(R), mine_on(R).
mine_on(R) :- in_row(R,_,C), mine(C).
blocked_me(R) :- in_row(R,_,C), theirs(C).
their_way(R) :- in_row(R,_,_), not blocked_them(R), theirs_on(R).
theirs_on(R) :- in_row(R,_,C), theirs(C).
blocked_them(R) :- in_row(R,_,C), mine(C).
my_fork(C) :- next(free(C)), in_row(R,_,C), in_row(S,_,C), R < S, my_way(R), my_way(S).
their_fork(C) :- next(free(C)), in_row(R,_,C), in_row(S,_,C), R < S, their_way(R), their_way(S).
edge(C) :- line(_,C,_), not corner(C), not centre(C).
corner(C) :- in_row(R,0,C), in_row(S,0,C), in_row(T,0,C), R < S, S < T.
corner(C) :- in_row(R,2,C), in_row(S,2,C), in_row(T,2,C), R < S, S < T.
corner(C) :- in_row(row(_,_,0,1),I,C), in_row(row(_,_,1,0),J,C), I + J = 2, I != J.
centre(C) :- in_row(row(_,_,1,1),1,C).
#modeo(1, won_by_me, (positive)).
#modeo(1, my_threat(var(cell)), (positive)).
#modeo(1, their_threat(var(cell)), (positive)).
#modeo(1, my_fork(var(cell)), (positive)).
#modeo(1, their_fork(var(cell)), (positive)).
#modeo(2, mine(var(cell)), (positive)).
#modeo(2, theirs(var(cell)), (positive)).
#modeo(1, next(free(var(cell))), (positive)).
#modeo(1, line(var(cell),var(cell),var(cell)), (positive)).
#modeo(1, centre(var(cell)), (positive)).
#modeo(1, corner(var(cell)), (positive)).
#modeo(1, edge(var(cell)), (positive)).
#weight(-1). #weight(1).
#maxp(6). #maxv(3). #max_body(3). #one_per_level.
