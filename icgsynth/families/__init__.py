"""One formula for all members of a family of games, proved for all of them."""
