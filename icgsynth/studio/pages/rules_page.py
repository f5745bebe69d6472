"""The page Rules: a text of rules, and what is known of it, as it is typed."""

from __future__ import annotations

from icgsynth.studio.pages.page import StudioPage, long_work, question
from icgsynth.studio.tasks.rules_tasks import answered, checked, labelled, written

RULES = StudioPage(
    "rules",
    "Rules",
    (
        question("/rules/text", written),
        question("/rules/check", checked),
        question("/rules/table", labelled),
        long_work("/rules/answer", answered),
    ),
)
