package dev.parley.examples;

import dev.parley.Agent;
import dev.parley.HeldLease;
import dev.parley.Parley;
import dev.parley.coordination.work.RefusedException;

/** One agent holds a file while it changes it; another is refused, and learns who has it. */
public final class TakeALease {
  private TakeALease() {}

  public static void main(String[] args) {
    try (Parley parley = Parley.inMemory();
        Agent alice = parley.join("alice");
        Agent bob = parley.join("bob")) {
      try (HeldLease lease = alice.lock("src/Parser.java")) {
        System.out.println("alice holds " + lease.paths());
        try (HeldLease _ = bob.lock("src/")) {
          System.out.println("this is never printed");
        } catch (RefusedException e) {
          System.out.println("bob is refused: " + e.code());
        }
      }
      try (HeldLease lease = bob.lock("src/")) {
        System.out.println("bob holds " + lease.paths());
      }
    }
  }
}
