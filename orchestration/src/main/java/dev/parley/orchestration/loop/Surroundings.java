package dev.parley.orchestration.loop;

import java.util.List;
import java.util.Map;

/** What a loop needs from others: their notices, their leases, and what its programs find. */
public interface Surroundings {
  /** Lines with what other workers have found; empty if there is nothing. */
  List<String> notices(int cap);

  /** Posts what is marked in an answer; each only once. */
  void post(String answer);

  /** For each of these paths that somebody else has leased: who has it. */
  List<String> leasedByOthers(List<String> paths);

  /** Variables for the agent and the gates. */
  Map<String, String> variables();

  /** Nobody is there. */
  Surroundings NONE =
      new Surroundings() {
        @Override
        public List<String> notices(int cap) {
          return List.of();
        }

        @Override
        public void post(String answer) {}

        @Override
        public List<String> leasedByOthers(List<String> paths) {
          return List.of();
        }

        @Override
        public Map<String, String> variables() {
          return Map.of();
        }
      };
}
