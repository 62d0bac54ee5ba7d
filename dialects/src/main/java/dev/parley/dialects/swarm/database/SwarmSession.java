package dev.parley.dialects.swarm.database;

import org.jspecify.annotations.Nullable;

/**
 * A run of the design's workflow, under which messages are kept.
 *
 * @param completedAt when it ended; null if it has not
 * @param messages how many are kept
 */
public record SwarmSession(
    String id,
    String workflow,
    String goal,
    String status,
    String createdAt,
    @Nullable String completedAt,
    long messages) {}
