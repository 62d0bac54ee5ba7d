package dev.parley.dialects.swarm;

import java.util.regex.Pattern;

/** Tells ids that no two messages share from ids that agents make up by hand. */
public final class MessageIds {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** How many hexadecimal digits the ids have that we give to entries. */
  public static final int OUR_LENGTH = 32;

  private static final Pattern OURS = Pattern.compile("[0-9a-f]{" + OUR_LENGTH + "}");

  private MessageIds() {}

  /** Whether no other message has an id of this form. */
  public static boolean isUnique(String id) {
    return isUuid(id) || isOurs(id);
  }

  /** Whether a program made the id. */
  public static boolean isUuid(String id) {
    return UUID.matcher(id).matches();
  }

  /** Whether it is the id that an entry without one gets from us. */
  public static boolean isOurs(String id) {
    return OURS.matcher(id).matches();
  }
}
