package dev.parley.orchestration.meeting;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The descriptions of directors, one page each, named after the director. Five are shipped. A
 * folder with files such as {@code CSO.md} replaces them and adds others. Immutable.
 */
public final class Personas {
  /** How many characters a page may have. */
  public static final int LONGEST = 20_000;

  private final Map<String, String> pages;

  private Personas(Map<String, String> pages) {
    this.pages = Map.copyOf(pages);
  }

  /**
   * The pages of these directors.
   *
   * @param folder whose files replace the shipped ones; null for none
   * @throws ParleyException INVALID if a file is too long or can't be read
   */
  public static Personas of(List<String> directors, @Nullable Path folder) {
    Map<String, String> pages = new LinkedHashMap<>();
    for (String director : directors) {
      Path file = folder == null ? null : folder.resolve(director + ".md");
      pages.put(
          director,
          file != null && Files.isRegularFile(file) ? read(director, file) : shipped(director));
    }
    return new Personas(pages);
  }

  static Personas of(@Nullable Json saved) {
    Map<String, String> pages = new LinkedHashMap<>();
    if (saved != null) {
      saved
          .fields()
          .forEach((director, page) -> {
            String text = page.text();
            pages.put(director, text == null ? "" : text);
          });
    }
    return new Personas(pages);
  }

  Json parameters() {
    Json.ObjectBuilder json = Json.object();
    pages.keySet().stream().sorted().forEach(name -> json.put(name, page(name)));
    return json.build();
  }

  /** The page of a director. */
  public String page(String director) {
    String page = pages.get(director);
    return page == null ? shipped(director) : page;
  }

  private static String read(String director, Path file) {
    try {
      if (Files.size(file) <= LONGEST) {
        return Files.readString(file).strip();
      }
    } catch (IOException e) {
      throw ParleyException.invalid(
          "bad-persona",
          "The persona of " + director + " can't be read: " + file + ".",
          "It must be a text file in UTF-8.");
    }
    throw ParleyException.invalid(
        "bad-persona",
        "The persona of " + director + " is too long: " + file + ".",
        "A persona has " + LONGEST + " bytes at most.");
  }

  private static String shipped(String director) {
    // Names come from outside, so only these five become part of a resource's name.
    String name =
        switch (director) {
          case "CA", "CPO", "CSO", "COO", "CXO" -> director;
          default -> "member";
        };
    try (InputStream in = Personas.class.getResourceAsStream("personas/" + name + ".md")) {
      if (in == null) {
        throw new IllegalStateException("the persona " + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
