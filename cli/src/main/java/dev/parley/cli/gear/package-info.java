/** Commands for users of Gear 2. */
@NullMarked
package dev.parley.cli.gear;

import org.jspecify.annotations.NullMarked;
