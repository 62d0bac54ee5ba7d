package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the tests of a class on each log: in memory, and on files. */
@ParameterizedClass
@EnumSource(Place.Kind.class)
public abstract class OnEveryLog {
  protected final List<Report> reports = Collections.synchronizedList(new ArrayList<>());
  protected Place place;

  @Parameter Place.Kind kind;
  @TempDir Path temporary;

  @BeforeEach
  void openPlace() throws Exception {
    place = kind.open(reports::add, temporary);
  }

  @AfterEach
  void closePlace() {
    place.log().close();
    assertThat(reports).isEmpty();
  }

  /** A team object that remembers nothing: as in another process. */
  protected final Team another() {
    return place.team(reports::add);
  }

  protected static ParleyException refused(String code, ThrowingCallable call) {
    try {
      call.call();
    } catch (ParleyException e) {
      assertThat(e.code()).as(e.what()).isEqualTo(code);
      return e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("not refused: " + code);
  }

  protected static Fields details(ParleyException refused) {
    return Fields.of(refused.details());
  }
}
