"""The page Build and verify: a strategy made by hand, proved, or refuted by a line of play."""

from __future__ import annotations

from icgsynth.studio.pages.page import StudioPage, long_work, question
from icgsynth.studio.pages.play_page import with_answer
from icgsynth.studio.tasks.build_tasks import (
    begun,
    completed_rules,
    fitting_rule,
    shortened,
    verified,
)
from icgsynth.studio.tasks.tree_build_tasks import (
    begun_tree,
    completed_tree,
    fitting_tree_rule,
    shortened_tree,
    verified_tree,
)

BUILD = StudioPage(
    "build",
    "Build and verify",
    (
        question("/build/begin", begun, with_answer),
        question("/build/rule", fitting_rule, with_answer),
        question("/build/rest", completed_rules, with_answer),
        long_work("/build/verify", verified, with_answer),
        long_work("/build/shorten", shortened, with_answer),
        question("/build/begin-tree", begun_tree, of_long=True),
        long_work("/build/verify-tree", verified_tree),
        long_work("/build/tree-rule", fitting_tree_rule),
        long_work("/build/rest-of-tree", completed_tree),
        long_work("/build/shorten-tree", shortened_tree),
    ),
)
