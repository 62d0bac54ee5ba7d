/**
 * Checks of a bus folder: what is damaged, what can be repaired, which file systems are unsafe.
 *
 * <p>API: {@link dev.parley.filelog.health.HealthCheck} and {@link
 * dev.parley.filelog.health.Finding}.
 */
@NullMarked
package dev.parley.filelog.health;

import org.jspecify.annotations.NullMarked;
