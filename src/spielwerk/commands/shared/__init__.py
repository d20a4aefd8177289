"""What commands share: options, tables, progress bars, completion, and what Ctrl-C does."""
