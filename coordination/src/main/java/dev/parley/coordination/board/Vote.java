package dev.parley.coordination.board;

/** What a ballot says. An abstention counts for neither side. */
public enum Vote {
  APPROVE,
  REJECT,
  ABSTAIN
}
