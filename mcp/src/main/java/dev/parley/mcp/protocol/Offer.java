package dev.parley.mcp.protocol;

import java.util.List;

/** What a server has for its clients. Lists keep their order. */
public interface Offer {
  String name();

  String version();

  /** What every model is told of the server, whichever tool it uses. */
  String instructions();

  List<Tool> tools();

  List<Prompt> prompts();

  /** What can be read, templates included. */
  List<Resource> resources();

  /** Whether tools, prompts or resources come and go while clients are there. */
  default boolean changes() {
    return false;
  }

  /** What an argument may go on with. */
  default List<String> complete(String reference, String argument, String beginning) {
    return List.of();
  }
}
