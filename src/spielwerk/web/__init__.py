"""The page: a server over the library's own functions, and what a browser shows. `docs/page.md` describes both."""
