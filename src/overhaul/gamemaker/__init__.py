"""What GameMaker writes: games (`data`), their debug files, old projects, ds_map strings."""
