package dev.parley.cli.command;

import dev.parley.cli.terminal.Devices;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Stop;
import dev.parley.core.json.Json;
import dev.parley.filelog.EphemeralBus;
import dev.parley.filelog.EphemeralFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Keeps a temporary bus until the script that started it ends. */
final class Ephemeral {
  private Ephemeral() {}

  static int run(Invocation invocation) throws IOException, InterruptedException {
    Path named = invocation.namedBus();
    Path folder = named != null ? named : Files.createTempDirectory("parley-");
    CountDownLatch over = new CountDownLatch(1);
    try (Stop _ = Stop.onSignal(over::countDown);
        EphemeralBus bus = EphemeralBus.create(folder, invocation.shell().environment())) {
      keep(invocation, bus.folder().path(), over);
    }
    return ExitCode.OK;
  }

  /** Keeps Conclave's bus folder, as Conclave's orchestrator does. */
  static int runForConclave(Invocation invocation, Path folder) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    try (Stop _ = Stop.onSignal(over::countDown);
        EphemeralFolder owned = EphemeralFolder.createForConclave(folder)) {
      keep(invocation, owned.path(), over);
    }
    return ExitCode.OK;
  }

  private static void keep(Invocation invocation, Path folder, CountDownLatch over)
      throws InterruptedException {
    answer(invocation.out(), folder);
    // A background job's input is at its end from the start, so then only a signal ends this.
    if (!invocation.shell().devices().isNull(Devices.STDIN)) {
      InputStream in = invocation.shell().in();
      Thread.ofPlatform().daemon().name("stdin").start(() -> awaitEnd(in, over));
    }
    over.await();
  }

  private static void answer(Output out, Path bus) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("state", "created")
              .put("bus", bus.toString())
              .put("ephemeral", true)
              .build());
    } else {
      out.line("Made the bus " + Printable.text(bus.toString()));
      out.line("It is removed when this command ends (Ctrl-C or end of input).");
    }
    out.flush();
  }

  private static void awaitEnd(InputStream in, CountDownLatch over) {
    try {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // An unreadable input counts as ended.
    } finally {
      over.countDown();
    }
  }
}
