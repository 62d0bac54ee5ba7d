package dev.parley.orchestration.prompt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A prompt with places such as <code>{{proposal}}</code>. All places are filled in one pass, so a
 * filled-in value can't add places.
 */
public final class PromptTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)}}");

  private final String text;

  private PromptTemplate(String text) {
    this.text = text;
  }

  public static PromptTemplate of(String text) {
    return new PromptTemplate(text);
  }

  /** The template in a resource beside a class. */
  public static PromptTemplate resource(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no resource " + name + " beside " + beside);
      }
      return of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The prompt with every place filled.
   *
   * @throws IllegalStateException if a place has no value
   */
  public String fill(Map<String, String> values) {
    return PLACE
        .matcher(text)
        .replaceAll(place -> {
          String value = values.get(place.group(1));
          if (value == null) {
            throw new IllegalStateException("the place " + place.group(1) + " has no value");
          }
          return Matcher.quoteReplacement(value);
        });
  }
}
