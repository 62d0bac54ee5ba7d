/** What Gear 2's users ask of a bus. */
@NullMarked
package dev.parley.cli.gear;

import org.jspecify.annotations.NullMarked;
