/**
 * All access to files: the interface at which tests let the disk fail, and files that only their
 * owner may read. Internal.
 */
@NullMarked
package dev.parley.filelog.disk;

import org.jspecify.annotations.NullMarked;
