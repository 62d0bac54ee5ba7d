package dev.parley.coordination.task;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.wait.Target;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The claim of a task: by its present owner, or by its last one.
 *
 * @param token the position of the envelope that claimed the task; 0 if it was never claimed
 * @param session the owner's session; null if the task has no owner
 * @param progress in percent; -1 if not stated
 * @param block what the owner waits for; null if it is not blocked
 * @param ttl how long the owner may write nothing about the task; null if any sign of life will do
 * @param until when the claim ends unless the owner writes about the task, in the ledger's time
 * @param files where it holds its task's files; null if it holds none
 */
public record Claim(
    long token,
    @Nullable String owner,
    @Nullable String session,
    int progress,
    @Nullable Block block,
    @Nullable Duration ttl,
    @Nullable Instant until,
    @Nullable Files files) {

  /**
   * Where a claim holds its task's files.
   *
   * @param tree the working tree of the owner
   * @param repo whether they are held in every working tree
   */
  public record Files(String tree, boolean repo) {
    private Json save() {
      return Json.object().put("tree", tree).put("repo", repo).build();
    }

    private static Files load(Json saved) {
      Fields files = Fields.of(saved);
      return new Files(files.text("tree", ""), files.flag("repo"));
    }
  }

  /**
   * The reason why an owner can't go on.
   *
   * @param on what it waits for, in its own words
   * @param target what those words meant at that moment
   * @param tree the working tree of a path
   * @param position of the line that stated the block
   */
  public record Block(String on, Target target, String tree, long position) {
    private Json save() {
      return Json.object()
          .put("on", on)
          .put("target", target.toString())
          .put("tree", tree)
          .put("position", position)
          .build();
    }

    private static Block load(Json saved) {
      Fields block = Fields.of(saved);
      return new Block(
          block.text("on", ""),
          Target.of(block.text("target", ""), name -> false, name -> false),
          block.text("tree", ""),
          block.number("position", 0));
    }
  }

  public static final Duration LEAST_TTL = Duration.ofSeconds(1);
  public static final Duration MOST_TTL = Duration.ofDays(7);

  static final Claim NONE = new Claim(0, null, null, -1, null, null, null, null);

  static Claim of(Request request) {
    Duration ttl =
        request.payload().json("ttl") == null
            ? null
            : request.seconds("ttl", MOST_TTL, LEAST_TTL, MOST_TTL);
    return new Claim(
            request.position(), request.name(), request.session(), -1, null, ttl, null, null)
        .heard(request.now());
  }

  /** What the owner waits for, in its own words; null if it is not blocked. */
  public @Nullable String blockedOn() {
    return block == null ? null : block.on;
  }

  /** The claim after its owner wrote something about the task. */
  Claim heard(Instant now) {
    return new Claim(
        token,
        owner,
        session,
        progress,
        block,
        ttl,
        ttl == null ? null : StoredTimes.later(now, ttl),
        files);
  }

  Claim ended() {
    return new Claim(token, owner, null, progress, null, null, null, null);
  }

  Claim at(int percent, Instant now) {
    return new Claim(token, owner, session, percent, null, ttl, null, files).heard(now);
  }

  Claim blocked(Block by, Instant now) {
    return new Claim(token, owner, session, progress, by, ttl, null, files).heard(now);
  }

  Claim holding(Files where) {
    return new Claim(token, owner, session, progress, block, ttl, until, where);
  }

  Claim movedBack(Duration by) {
    return new Claim(
        token,
        owner,
        session,
        progress,
        block,
        ttl,
        until == null ? null : StoredTimes.earlier(until, by),
        files);
  }

  Json save() {
    Json.ObjectBuilder json = Json.object().put("token", token).put("progress", progress);
    if (owner != null) {
      json.put("owner", owner);
    }
    if (session != null) {
      json.put("session", session);
    }
    if (block != null) {
      json.put("block", block.save());
    }
    if (ttl != null) {
      json.put("ttl", ttl.toSeconds());
    }
    if (until != null) {
      json.put("until", Timestamps.format(until));
    }
    if (files != null) {
      json.put("files", files.save());
    }
    return json.build();
  }

  static Claim load(@Nullable Json saved) {
    if (saved == null) {
      return NONE;
    }
    Fields claim = Fields.of(saved);
    Json block = claim.json("block");
    Json files = claim.json("files");
    return new Claim(
        claim.number("token", 0),
        claim.text("owner"),
        claim.text("session"),
        (int) claim.number("progress", -1),
        block == null ? null : Block.load(block),
        claim.json("ttl") == null ? null : Duration.ofSeconds(claim.number("ttl", 0)),
        claim.time("until"),
        files == null ? null : Files.load(files));
  }
}
