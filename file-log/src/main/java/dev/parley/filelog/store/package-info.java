/**
 * What a bus folder keeps beside its topics: contents, cursors, views and session secrets.
 * Internal: programs use {@link dev.parley.core.store.Store}.
 */
@NullMarked
package dev.parley.filelog.store;

import org.jspecify.annotations.NullMarked;
