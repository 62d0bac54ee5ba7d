/** Help pages and shell completion. */
@NullMarked
package dev.parley.cli.help;

import org.jspecify.annotations.NullMarked;
