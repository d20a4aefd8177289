"""The library's face: `sw.match`, `sw.tournament`, `sw.grade` … with typed results; commands and page are its skins."""
