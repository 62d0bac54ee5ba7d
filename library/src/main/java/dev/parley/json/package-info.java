/**
 * The JSON of each state: leases, tasks, members, boards, waits, mail, bulletins, refusals. Every
 * surface shows these fields under these names, and hides the same while a vote is blind.
 */
@NullMarked
package dev.parley.json;

import org.jspecify.annotations.NullMarked;
