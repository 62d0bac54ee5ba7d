package dev.parley.dialects.swarm.database;

import org.jspecify.annotations.Nullable;

/**
 * A run of a Swarm workflow, under which messages are kept.
 *
 * @param completedAt when it ended; null if it is running
 * @param messages how many messages are kept
 */
public record SwarmSession(
    String id,
    String workflow,
    String goal,
    String status,
    String createdAt,
    @Nullable String completedAt,
    long messages) {}
