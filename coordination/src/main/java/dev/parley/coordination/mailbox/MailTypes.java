package dev.parley.coordination.mailbox;

/** The types of envelopes that tell about mail. A message itself has any other type. */
public final class MailTypes {
  /** Lets a message go that the damper held; in the topic of the mailbox. */
  public static final String LET_GO = "mail.let-go";

  /** Sets the limits of a mailbox; in the topic of the mailbox. */
  public static final String LIMITS = "mail.limits";

  /** States everything that a reader was given and has seen; in its receipts. */
  public static final String RECEIPT = "mail.receipt";

  /** Ends messages; in the receipts of their recipient. */
  public static final String END = "mail.end";

  /** Marks a message as not answered in time; in the receipts of its recipient. */
  public static final String OVERDUE = "mail.overdue";

  /** Takes back what receipts have stated; in the same topic. */
  public static final String UNDO = "mail.undo";

  /** States what an agent has sent, with the recipients; in the topic of the sender. */
  public static final String SENT = "mail.sent";

  /** Tells the person in charge that a message is overdue: an automatic mail. */
  public static final String ESCALATION = "escalation";

  /** Tells a sender that a message became a dead letter: an automatic mail. */
  public static final String UNDELIVERED = "undelivered";

  /** Tells a sender that the recipient won't deal with a message, and why. */
  public static final String REFUSAL = "refusal";

  /** Tells an elector that a board waits for it. */
  public static final String BOARD_CALL = "board-call";

  private static final String RESERVED = "mail.";

  private MailTypes() {}

  /** The prefix that the type of a message must not have. */
  public static String reserved() {
    return RESERVED;
  }

  /** Whether an envelope of this type in a mailbox's topic is a message. */
  public static boolean isMessage(String type) {
    return !type.startsWith(RESERVED);
  }
}
