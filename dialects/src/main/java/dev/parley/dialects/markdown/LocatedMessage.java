package dev.parley.dialects.markdown;

/**
 * A message and its place in what was read.
 *
 * @param line where it begins, from 1
 * @param end the offset after it
 * @param closed whether it has an end, so that more text can't be part of it
 */
public record LocatedMessage(JournalMessage message, int line, long end, boolean closed) {}
