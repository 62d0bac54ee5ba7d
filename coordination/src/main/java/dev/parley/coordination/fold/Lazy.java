package dev.parley.coordination.fold;

import dev.parley.core.json.Json;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that stays in its saved form until it is asked for. Every command loads a view, and few
 * commands need what is over.
 */
public final class Lazy<T> {
  private final Function<Json, T> load;

  /** Invariant: one of the two is set. */
  private @Nullable Json saved;

  private @Nullable T thing;

  private Lazy(Function<Json, T> load, @Nullable Json saved, @Nullable T thing) {
    this.load = load;
    this.saved = saved;
    this.thing = thing;
  }

  public static <T> Lazy<T> of(T thing) {
    return new Lazy<>(json -> thing, null, thing);
  }

  public static <T> Lazy<T> saved(Json saved, Function<Json, T> load) {
    return new Lazy<>(load, saved, null);
  }

  public T get() {
    T there = thing;
    if (there == null) {
      there = load.apply(Objects.requireNonNull(saved));
      thing = there;
      saved = null;
    }
    return there;
  }

  public Json save(Function<T, Json> save) {
    return saved != null ? saved : save.apply(get());
  }
}
