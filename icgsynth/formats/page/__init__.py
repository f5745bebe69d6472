"""Write an HTML page that plays a proved answer in a browser, without a server or a network.

The scripts beside these modules are put into the page as they are, but for comments and
indentation: ``board.js`` draws, ``player.js`` is one game against the strategy, ``impartial.js``
and ``tree.js`` know the rules of the two kinds of games.  The studio serves the same ``board.js``
and ``page.css``.
"""
