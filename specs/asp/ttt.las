% What to look at in a row of three: own and enemy marks and free cells after the move, rows,
% and corners, edges and the centre.  No threats and no forks: they have to be learned.
mine(C) :- next(has(P,C)), does(P,_).
theirs(C) :- next(has(Q,C)), does(P,_), Q != P.
line(C,D,E) :- in_row(R,I,C), in_row(R,J,D), in_row(R,K,E), I != J, J != K, I != K.
edge(C) :- line(_,C,_), not corner(C), not centre(C).
corner(C) :- in_row(R,0,C), in_row(S,0,C), in_row(T,0,C), R < S, S < T.
corner(C) :- in_row(R,2,C), in_row(S,2,C), in_row(T,2,C), R < S, S < T.
corner(C) :- in_row(row(_,_,0,1),I,C), in_row(row(_,_,1,0),J,C), I + J = 2, I != J.
centre(C) :- in_row(row(_,_,1,1),1,C).
#modeo(3, mine(var(cell)), (positive)).
#modeo(3, theirs(var(cell)), (positive)).
#modeo(2, next(free(var(cell))), (positive)).
#modeo(1, line(var(cell),var(cell),var(cell)), (positive)).
#modeo(1, edge(var(cell)), (positive)).
#modeo(1, corner(var(cell)), (positive)).
#modeo(1, centre(var(cell)), (positive)).
#weight(-1).
#weight(1).
#maxp(8).
#maxv(3).
#max_body(4).
#one_per_level.
