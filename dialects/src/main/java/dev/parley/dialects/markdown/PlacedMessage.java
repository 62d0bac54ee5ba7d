package dev.parley.dialects.markdown;

/**
 * A message and where it stands in what was read.
 *
 * @param line where it begins, from 1
 * @param end the offset behind it
 * @param closed whether more text can't be part of it
 */
public record PlacedMessage(JournalMessage message, int line, long end, boolean closed) {}
