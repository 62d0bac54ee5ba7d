package dev.parley.dialects.swarm.database;

import org.jspecify.annotations.Nullable;

/**
 * A row of the table of messages.
 *
 * @param content the JSON text as it stands there, which may be none
 * @param requiresResponse false also if the design's own program wrote it, which does not say
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
