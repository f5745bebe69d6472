import click
@click.command()
def table() -> int:
    return 0
