package dev.parley.examples;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import java.time.Duration;

/** Alice asks, bob answers, alice has the answer. */
public final class AskAndAnswer {
  private AskAndAnswer() {}

  public static void main(String[] args) throws InterruptedException {
    try (Parley parley = Parley.inMemory();
        Agent alice = parley.join("alice");
        Agent bob = parley.join("bob")) {
      alice.mail().send(Draft.question("bob", "Which port?", "The tests need one."));

      ReceivedMail question = bob.mail().await(MailFilter.ANY, Duration.ofSeconds(5));
      if (question != null) {
        System.out.println("bob is asked: " + question.content().subject());
        bob.mail().reply(question.entry().id(), Draft.answer("8080"));
      }

      ReceivedMail answer = alice.mail().await(MailFilter.ANY, Duration.ofSeconds(5));
      if (answer != null) {
        System.out.println("alice is told: " + answer.content().body());
      }
    }
  }
}
