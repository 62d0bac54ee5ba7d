package dev.parley.coordination.mailbox;

/** The types of envelopes that are about mail; a mail itself has any other type. */
public final class MailTypes {
  /** Lets a message go that the damper held; in the mailbox's topic. */
  public static final String LET_GO = "mail.let-go";

  /** Sets the limits of a mailbox; in its topic. */
  public static final String LIMITS = "mail.limits";

  /** What a reader has been given and has seen, all of it; in its receipts. */
  public static final String RECEIPT = "mail.receipt";

  /** Messages have ended; in the receipts of their recipient. */
  public static final String END = "mail.end";

  /** A message was not answered in time; in the receipts of its recipient. */
  public static final String OVERDUE = "mail.overdue";

  /** What receipts have said counts no more; in the same topic. */
  public static final String UNDO = "mail.undo";

  /** What an agent has sent, with its recipients; in the topic of the sender. */
  public static final String SENT = "mail.sent";

  /** Tells the person in charge that a message is overdue: an automatic mail. */
  public static final String ESCALATION = "escalation";

  /** Tells a sender that a message became a dead letter: an automatic mail. */
  public static final String UNDELIVERED = "undelivered";

  /** Tells a sender that a message won't be dealt with, and why. */
  public static final String REFUSAL = "refusal";

  /** Tells an elector that a board waits for it. */
  public static final String BOARD_CALL = "board-call";

  private static final String RESERVED = "mail.";

  private MailTypes() {}

  /** What the type of a message cannot begin with. */
  public static String reserved() {
    return RESERVED;
  }

  /** Whether an envelope of this type in a mailbox's topic is a message, not about messages. */
  public static boolean isMessage(String type) {
    return !type.startsWith(RESERVED);
  }
}
