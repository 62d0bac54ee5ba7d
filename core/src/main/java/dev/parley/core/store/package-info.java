/**
 * What a bus keeps: its log, and beside it views, contents, cursors and session secrets. API.
 *
 * <p>{@link dev.parley.core.store.Store} bundles them. Only the log is the truth: a view or a
 * cursor that is lost costs time, never a message.
 */
@NullMarked
package dev.parley.core.store;

import org.jspecify.annotations.NullMarked;
