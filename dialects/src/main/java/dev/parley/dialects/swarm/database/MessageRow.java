package dev.parley.dialects.swarm.database;

import org.jspecify.annotations.Nullable;

/**
 * A row of the messages table.
 *
 * @param content the stored text, which may not be valid JSON
 * @param requiresResponse also false if Swarm's own program wrote the row, which does not store it
 */
public record MessageRow(
    String id,
    @Nullable String thread,
    String from,
    String to,
    String type,
    String priority,
    String content,
    String createdAt,
    boolean requiresResponse,
    @Nullable String deadline) {}
