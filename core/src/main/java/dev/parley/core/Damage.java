package dev.parley.core;

/**
 * A line that is not an envelope. Readers skip and report it.
 *
 * @param offset where the line begins
 * @param length its length without the newline
 * @param reason what is wrong with it
 */
public record Damage(Topic topic, Position offset, long length, String reason) {}
