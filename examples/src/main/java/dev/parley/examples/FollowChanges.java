package dev.parley.examples;

import dev.parley.Agent;
import dev.parley.ChangeStream;
import dev.parley.HeldLease;
import dev.parley.Parley;
import dev.parley.coordination.mail.Draft;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Prints what happens on a bus as it happens, and goes on after a break. */
public final class FollowChanges {
  private FollowChanges() {}

  public static void main(String[] args) throws InterruptedException {
    try (Parley parley = Parley.inMemory();
        Agent alice = parley.join("alice")) {
      Map<String, Long> places;
      CountDownLatch locked = new CountDownLatch(1);
      try (ChangeStream changes =
              parley.follow(
                  Map.of(),
                  change -> {
                    System.out.println(change.topic() + ": " + change.envelope().type());
                    if (change.envelope().type().equals("lease.request")) {
                      locked.countDown();
                    }
                  });
          HeldLease _ = alice.lock("src/A.java")) {
        locked.await();
        places = changes.places();
      }

      CountDownLatch mailed = new CountDownLatch(1);
      alice.mail().send(Draft.to("alice").says("A note", "to myself"));
      try (ChangeStream _ =
          parley.follow(
              places,
              change -> {
                System.out.println(
                    "after the break: " + change.topic() + ": " + change.envelope().type());
                if (change.topic().name().equals("mail.alice")) {
                  mailed.countDown();
                }
              })) {
        mailed.await();
      }
    }
  }
}
