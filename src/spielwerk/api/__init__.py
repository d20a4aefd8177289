"""The Python API: `sw.match`, `sw.tournament`, `sw.grade` … with typed results; the commands are skins over it."""
