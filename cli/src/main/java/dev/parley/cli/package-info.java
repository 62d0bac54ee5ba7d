/**
 * The {@code parley} program: finds the command, runs it, turns what went wrong into an exit code.
 *
 * <ul>
 *   <li>{@code args}: how commands are described, and what the user typed.
 *   <li>{@code terminal}: what is printed, and on what.
 *   <li>{@code command}: what a command is, and the short ones; {@code help}, {@code tail}, {@code
 *       demo} and {@code install} hold one each with what belongs to it.
 * </ul>
 *
 * <p>A process that publishes one message should end before its user notices that it began. So the
 * classes of a command are loaded only when it is run, and what {@code publish} uses does without
 * lambdas, regular expressions and formatters, which each cost milliseconds at the first use.
 */
@NullMarked
package dev.parley.cli;

import org.jspecify.annotations.NullMarked;
