/**
 * Board meetings with programs as directors. The ledger decides phases and verdicts; a {@link
 * dev.parley.orchestration.meeting.BoardMeeting} only asks whoever is missing and can be asked.
 */
@NullMarked
package dev.parley.orchestration.meeting;

import org.jspecify.annotations.NullMarked;
