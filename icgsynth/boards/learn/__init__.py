"""Learn strategies from game rules with answer set programming (Hahn and Shankar 2020).

Complete and pruned minimax trees, ``best_do`` rules, and weak constraints; all of them end as
the tiers of a :class:`~icgsynth.game.strategy.Strategy`, which :mod:`icgsynth.boards.finite.worth`
judges.
"""
