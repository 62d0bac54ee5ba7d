package dev.parley.json;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.text.Explanation;
import java.util.Map;

/** Errors as JSON: code, message, next step. */
public final class RefusalJson {
  private RefusalJson() {}

  /**
   * A refusal of the ledger, with what is in the way.
   *
   * @param what the field that is false, such as {@code granted}
   */
  public static Json of(String what, ParleyException refused, Explanation why) {
    Json.ObjectBuilder answer = Json.object().put(what, false);
    for (Map.Entry<String, Json> field : refused.details().fields().entrySet()) {
      answer.put(field.getKey(), field.getValue());
    }
    return answer
        .put("error", refused.code())
        .put("message", why.message())
        .put("next", why.next())
        .build();
  }
}
