"""One runnable module a published table; results as CSV beside it."""
