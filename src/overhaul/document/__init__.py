"""The protocol of opened files, the list of formats, and the detection of a file's format."""
