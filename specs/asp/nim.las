% Nim: which piles have which binary digit after the move, of their size and of their size mod Q.
% How often a body holds may be asked for its parity: nim-sum is not given, it has to be learned.
has_bit(K,D) :- next(has(K,N)), bit(D), N / D \ 2 = 1.
has_digit(Q,K,D) :- next(has(K,N)), Q = 2..8, bit(D), (N \ Q) / D \ 2 = 1.
bit(1). bit(2). bit(4).
#modeo(2, has_bit(var(pile),var(digit)), (positive)).
#modeo(2, has_digit(const(modulus),var(pile),var(digit)), (positive)).
#weight(-1).
#weight(1).
#maxp(2).
#maxv(3).
#max_body(2).
#template(parity).
