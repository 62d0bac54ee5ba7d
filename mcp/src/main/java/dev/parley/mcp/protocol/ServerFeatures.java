package dev.parley.mcp.protocol;

import java.util.List;
import java.util.function.Consumer;

/** What a server offers its clients. The order of lists is kept. */
public interface ServerFeatures {
  String name();

  String version();

  /** The instructions for every model, whichever tool it uses. */
  String instructions();

  List<Tool> tools();

  List<Prompt> prompts();

  /** The resources, including templates. */
  List<Resource> resources();

  /** Whether tools, prompts or resources may change while clients are connected. */
  default boolean changes() {
    return false;
  }

  /**
   * Begins to tell which resources change. Called once, when the first client wants to know.
   *
   * @param changed receives the URI of each resource that may have changed
   */
  default void watch(Consumer<String> changed) {}

  /** Completions for the beginning of an argument. */
  default List<String> complete(String reference, String argument, String beginning) {
    return List.of();
  }
}
