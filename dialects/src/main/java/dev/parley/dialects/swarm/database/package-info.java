/**
 * The database of a {@code .swarm} folder, {@code memory.db}, with Swarm's tables. It is in
 * SQLite's own format, because agents read it with the program {@code sqlite3}.
 *
 * <p>Nothing else in Parley uses sqlite-jdbc, and nothing loads this package unless a session is
 * named.
 */
@NullMarked
package dev.parley.dialects.swarm.database;

import org.jspecify.annotations.NullMarked;
