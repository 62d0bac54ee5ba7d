package dev.parley.orchestration.loop;

import java.util.List;
import java.util.Map;

/** The other workers around a loop: their notices, their leases, and shared variables. */
public interface OtherWorkers {
  /** Notices of other workers, as lines. */
  List<String> notices(int cap);

  /** Posts the marked notices of an answer, each once. */
  void post(String answer);

  /** Those of the paths that others have leased, with the lease holder. */
  List<String> leasedByOthers(List<String> paths);

  /** Variables for the agent and the gates. */
  Map<String, String> variables();

  /** No other workers. */
  OtherWorkers NONE =
      new OtherWorkers() {
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
