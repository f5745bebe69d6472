% For three in a row, what tic-tac-toe looks at.
#include "ttt.las".
