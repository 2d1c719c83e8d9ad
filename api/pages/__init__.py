"""The documentation in the browser: guidance pages made from `docs/`, and a reference with a form for each request."""
