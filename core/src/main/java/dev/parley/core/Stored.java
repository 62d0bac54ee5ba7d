package dev.parley.core;

/** The answer to an append: the message is in the log, under this id, ending at this position. */
public record Stored(Topic topic, String id, long seq, Position position) {}
