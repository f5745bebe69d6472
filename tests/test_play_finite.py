"""``icgsynth play`` of finite games and of games of lines, as a person meets it."""

import pytest

pytest.importorskip("numba")
pytest.importorskip("clingo")


@pytest.fixture
def play(icgsynth):
    def play(*arguments, typed):
        return icgsynth("play", *arguments, typed=typed)

    return play


def test_perfect_play_is_never_beaten(play):
    # Taking the first move on offer each time: the machine punishes it, or draws.
    typed = "".join(f"{i} {j}\n" for i in (1, 2, 3) for j in (1, 2, 3)) * 3
    for first in ("you", "machine"):
        done = play("tictactoe", "--first", first, typed=typed)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] in ("A draw.", "The machine wins.")
        assert "machine: mark(" in done.stdout


def test_help_lists_the_moves_and_a_wrong_one_is_explained(play):
    done = play("tictactoe", typed="help\nmark(9,9)\nmark 2 2\nquit\n")
    assert done.returncode == 0
    assert "mark(1,1) mark(1,2)" in done.stdout
    assert "mark(9,9) is no move here" in done.stdout


def test_a_game_of_lines_from_a_position(play):
    done = play("tictactoe", "--opponent", 2, "--start", "X.O/.../.OX", typed="b2\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("You win.")
    lost = play("tictactoe", "--opponent", 1, "--start", "X../OO./X..", typed="c3\n")
    assert lost.stdout.rstrip().endswith("The machine wins.")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["connect"], "against whom"),
        (["nim2", "--opponent", "2"], "is not for nim2"),
        (["tictactoe", "--opponent", "2", "--start", "XX"], "is not a board"),
        (["tictactoe", "--start", "1,1"], "--start is not for a finite game"),
        (["nim2", "--strategy", "tree.txt"], "--strategy does nothing here"),
        (["tictactoe", "--strategy", "nowhere.txt"], "no such file"),
    ],
)
def test_bad_input_is_told(play, arguments, words):
    done = play(*arguments, typed="")
    assert done.returncode == 2
    assert words in done.stderr and "Traceback" not in done.stderr


def test_a_learned_strategy_is_played_and_names_its_constraint(icgsynth, play, tmp_path):
    path = tmp_path / "learned.json"
    assert icgsynth("learn", "nim_l", "--quiet", "-o", path).returncode == 0
    typed = "remove(2,1)\nquit\n"
    done = play("nim_l", "--strategy", path, "--first", "machine", typed=typed)
    assert done.returncode == 0, done.stderr
    # Piles of 1, 3, 3, 4: only 4 -> 1 leaves a nim-sum of 0.
    assert "machine: remove(4,3)   [rule 1: :~" in done.stdout
    other = play("tictactoe", "--strategy", path, typed="")
    assert other.returncode == 2 and "Traceback" not in other.stderr
