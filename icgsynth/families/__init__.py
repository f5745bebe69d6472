"""Theorems about families of games: one formula for all values of constants, proved for all."""
