package dev.parley.bench.measure;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of a contestant goes: the methods that flight recordings found running most.
 *
 * @param hottest methods with their part of all samples, of 1, the largest first
 */
public record Profile(List<Share> hottest) {
  static final String SUFFIX = ".jfr";
  private static final int SHOWN = 12;

  /** How much of the time was spent in a method, and in which native one below it, if in any. */
  public record Share(String method, String call, double part) {}

  /** Runs two rounds that do not count. */
  static Profile of(Contestant.Factory factory, Lab lab) throws Exception {
    Lab studio = lab.profiling();
    try (Contestant contestant = factory.in(studio)) {
      for (int i = 0; i < 2; i++) {
        Sample _ = contestant.round();
      }
    }
    Profile profile = read(studio.folder());
    Lab.delete(studio.folder());
    return profile;
  }

  private static Profile read(Path folder) throws IOException {
    Map<Place, Integer> counts = new HashMap<>();
    int total = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
          Place place = isSample(event) ? place(event.getStackTrace()) : null;
          if (place != null) {
            counts.merge(place, 1, Integer::sum);
            total++;
          }
        }
      }
    }
    List<Share> shares = new ArrayList<>();
    for (Map.Entry<Place, Integer> entry : counts.entrySet()) {
      Place place = entry.getKey();
      shares.add(new Share(place.method, place.call, entry.getValue() / (double) total));
    }
    shares.sort(Comparator.comparingDouble(Share::part).reversed());
    return new Profile(shares.subList(0, Math.min(SHOWN, shares.size())));
  }

  private static boolean isSample(RecordedEvent event) {
    String name = event.getEventType().getName();
    return name.equals("jdk.ExecutionSample") || name.equals("jdk.NativeMethodSample");
  }

  private record Place(String method, String call) {}

  /**
   * What of Parley ran, and below it the system call, if it was in one; null if it only waited. A
   * method of a library counts for the nearest method of Parley that called it.
   */
  private static @Nullable Place place(@Nullable RecordedStackTrace trace) {
    if (trace == null || trace.getFrames().isEmpty()) {
      return null;
    }
    RecordedFrame top = trace.getFrames().getFirst();
    String running = name(top.getMethod());
    if (isWait(running)) {
      return null;
    }
    for (RecordedFrame frame : trace.getFrames()) {
      if (frame.getMethod().getType().getName().startsWith("dev.parley.")) {
        boolean isCall = Modifier.isNative(top.getMethod().getModifiers());
        return new Place(name(frame.getMethod()), isCall ? running : "");
      }
    }
    return new Place(running, "");
  }

  private static boolean isWait(String method) {
    return method.endsWith("poll") || method.endsWith("Poll") || method.endsWith("readBytes");
  }

  private static String name(RecordedMethod method) {
    String type = method.getType().getName();
    return type.substring(type.lastIndexOf('.') + 1) + "." + method.getName();
  }
}
