"""The study of EinStein würfelt nicht! in the GBG framework (Cöln, TH Köln 2022)."""
