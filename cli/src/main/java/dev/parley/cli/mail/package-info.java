/** The commands for mail: send, answer, list, wait. */
@NullMarked
package dev.parley.cli.mail;

import org.jspecify.annotations.NullMarked;
