"""Networks as ONNX files: what is in one, which of them can be trusted, and how they value positions."""
