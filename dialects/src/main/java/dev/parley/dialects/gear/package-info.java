/**
 * Gear 2: a moderator and a tech lead that exchange messages through a bus in one program.
 *
 * <p>{@link dev.parley.dialects.gear.GearMessageBus} has the same operations. Its messages are mail
 * on a Parley bus, so the history survives the process and agents of other tools can answer.
 */
@NullMarked
package dev.parley.dialects.gear;

import org.jspecify.annotations.NullMarked;
