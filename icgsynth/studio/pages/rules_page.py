"""The page Rules: a text of rules, and what is known of it, as it is typed."""

from __future__ import annotations

from icgsynth.studio.pages.page import StudioPage, question
from icgsynth.studio.tasks.rules_tasks import checked, labelled, written

__all__ = ["RULES"]

RULES = StudioPage(
    "rules",
    "Rules",
    (
        question("/rules/text", written),
        question("/rules/check", checked),
        question("/rules/table", labelled),
    ),
)
