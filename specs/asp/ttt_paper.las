% The mode bias of Hahn and Shankar (2020), Figure 11, as their program has it (in_line/3).
#modeo(3, next(has(var(player),var(cell))), (positive)).
#modeo(1, in_line(var(cell),var(cell),var(cell)), (positive)).
#modeo(1, next(free(var(cell))), (positive)).
#modeo(1, next(control(var(player))), (positive)).
#weight(-1).
#weight(1).
#maxp(2).
#maxv(4).
#max_body(4).
