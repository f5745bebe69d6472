"""Texts that become games."""
