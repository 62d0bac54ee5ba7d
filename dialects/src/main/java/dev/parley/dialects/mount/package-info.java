/**
 * Mounts: which foreign folders belong to a bus, and keeping them and its log in step.
 *
 * <p>The topic {@code mounts} says what is mounted; {@code mount.<name>} what each pass did. Of
 * several processes one at a time works on a mount: it holds a lock in the bus folder, which the
 * system gives back however the process ends.
 */
@NullMarked
package dev.parley.dialects.mount;

import org.jspecify.annotations.NullMarked;
