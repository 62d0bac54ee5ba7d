package dev.parley.dialects.swarm;

import java.util.regex.Pattern;

/** Tells unique ids from ids that agents make up by hand and use again. */
public final class MessageIds {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** How many hexadecimal digits our ids for entries have. */
  public static final int OUR_LENGTH = 32;

  private static final Pattern OURS = Pattern.compile("[0-9a-f]{" + OUR_LENGTH + "}");

  private MessageIds() {}

  /** Whether an id of this form is unique. */
  public static boolean isUnique(String id) {
    return isUuid(id) || isOurs(id);
  }

  /** Whether a program made the id. */
  public static boolean isUuid(String id) {
    return UUID.matcher(id).matches();
  }

  /** Whether the id is one that we give to entries without an id. */
  public static boolean isOurs(String id) {
    return OURS.matcher(id).matches();
  }
}
