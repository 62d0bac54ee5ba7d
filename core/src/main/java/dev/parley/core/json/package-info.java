/**
 * JSON as this project needs it: checked once, kept as bytes, looked into only when someone asks.
 *
 * <ul>
 *   <li>{@link dev.parley.core.json.Json} is a value: immutable, valid, on one line.
 *   <li>{@link dev.parley.core.json.JsonScanner} walks bytes and refuses what is not JSON.
 *   <li>{@link dev.parley.core.json.JsonBytes} is where text is written, escaped.
 * </ul>
 *
 * A general library takes a command more time to load than the command itself takes.
 */
@NullMarked
package dev.parley.core.json;

import org.jspecify.annotations.NullMarked;
