import click
@click.command()
def play() -> int:
    return 0
