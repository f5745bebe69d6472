% Nim: the piles after the move, and the binary digits of their sizes, of the sizes mod Q too.
% With the sizes themselves on offer, small positions have a rule shorter than nim-sum: every size
% but 0 occurs an even number of times.
binary(N,D) :- size(_,S), N = 0..S, bit(D), N / D \ 2 = 1.
digit(Q,N,D) :- size(_,S), N = 0..S, Q = 2..8, bit(D), (N \ Q) / D \ 2 = 1.
bit(1). bit(2). bit(4).
#modeo(1, next(has(var(pile),var(num))), (positive)).
#modeo(1, binary(var(num),var(digit)), (positive)).
#modeo(1, digit(const(modulus),var(num),var(digit)), (positive)).
#weight(-1).
#weight(1).
#maxp(2).
#maxv(3).
#max_body(2).
#template(parity).
