/**
 * Mounts: which foreign folders belong to a bus, and the passes that keep them and its log in step.
 *
 * <p>The registry of trusted buses decides what is mounted; the topic {@code mounts} describes it.
 * {@code mount.<name>} has the notes of each pass. One process at a time works on a mount: it holds
 * a lock in the bus folder, which the system releases however the process ends.
 */
@NullMarked
package dev.parley.dialects.mount;

import org.jspecify.annotations.NullMarked;
