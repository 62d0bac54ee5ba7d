package dev.parley.orchestration.moderate;

import dev.parley.orchestration.moderate.answer.ProjectTask;
import java.util.List;

/** Asks a person for permission to carry out tasks. */
public interface TaskConfirmation {
  TaskConfirmation YES = tasks -> true;

  boolean confirms(List<ProjectTask> tasks);
}
