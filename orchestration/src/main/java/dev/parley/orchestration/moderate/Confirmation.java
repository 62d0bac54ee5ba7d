package dev.parley.orchestration.moderate;

import java.util.List;

/** Asks a person whether tasks shall be carried out. */
public interface Confirmation {
  Confirmation YES = tasks -> true;

  boolean confirms(List<ProjectTask> tasks);
}
