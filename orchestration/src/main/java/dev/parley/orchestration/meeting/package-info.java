/**
 * Board meetings with programs as directors. The ledger decides phases and verdicts. A {@link
 * dev.parley.orchestration.meeting.BoardMeeting} only asks directors whose contribution is missing.
 */
@NullMarked
package dev.parley.orchestration.meeting;

import org.jspecify.annotations.NullMarked;
