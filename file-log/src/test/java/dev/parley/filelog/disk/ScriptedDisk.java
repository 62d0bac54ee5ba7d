package dev.parley.filelog.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The real disk with a script that is called before each step and may cause events and failures.
 */
public final class ScriptedDisk implements Disk {
  /** Each call of {@link Disk} is a step. */
  public enum Step {
    LOOK,
    OPEN_TO_APPEND,
    OPEN_TO_READ,
    SIZE,
    WRITE,
    READ,
    SYNC,
    SYNC_FOLDER
  }

  /** Reacts to steps. */
  public interface Script {
    /** Called before every step. An exception counts as the disk's. */
    default void before(Step step) throws IOException {}

    /** The number of bytes of a write that the disk accepts. */
    default int take(int length) throws IOException {
      return length;
    }

    /** Called after every write. */
    default void written() throws IOException {}
  }

  private final Disk real;
  private final Script script;

  public ScriptedDisk(Script script) {
    this(new RealDisk(), script);
  }

  ScriptedDisk(Disk real, Script script) {
    this.real = real;
    this.script = script;
  }

  /** A disk that behaves as the real one and records its steps. */
  public static ScriptedDisk noting(List<Step> steps) {
    return new ScriptedDisk(
        new Script() {
          @Override
          public void before(Step step) {
            steps.add(step);
          }
        });
  }

  @Override
  public @Nullable FileState state(Path path) throws IOException {
    script.before(Step.LOOK);
    return real.state(path);
  }

  @Override
  public Appender append(Path path) throws IOException {
    script.before(Step.OPEN_TO_APPEND);
    Appender file = real.append(path);
    return new Appender() {
      @Override
      public Object key() {
        return file.key();
      }

      @Override
      public long size() throws IOException {
        script.before(Step.SIZE);
        return file.size();
      }

      @Override
      public long sizeInPlace() throws IOException {
        script.before(Step.LOOK);
        return file.sizeInPlace();
      }

      @Override
      public int write(ByteBuffer bytes) throws IOException {
        script.before(Step.WRITE);
        int taken = script.take(bytes.remaining());
        int written = taken == 0 ? 0 : file.write(bytes.slice(bytes.position(), taken));
        bytes.position(bytes.position() + written);
        script.written();
        return written;
      }

      @Override
      public boolean knowsEnd() {
        return file.knowsEnd();
      }

      @Override
      public long end() throws IOException {
        script.before(Step.SIZE);
        return file.end();
      }

      @Override
      public int readBack(ByteBuffer into, long at) throws IOException {
        script.before(Step.READ);
        return file.readBack(into, at);
      }

      @Override
      public void sync() throws IOException {
        script.before(Step.SYNC);
        file.sync();
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    script.before(Step.SYNC_FOLDER);
    real.syncFolder(folder);
  }

  @Override
  public @Nullable Reader read(Path path) throws IOException {
    script.before(Step.OPEN_TO_READ);
    Reader file = real.read(path);
    if (file == null) {
      return null;
    }
    return new Reader() {
      @Override
      public Object key() {
        return file.key();
      }

      @Override
      public long size() throws IOException {
        script.before(Step.SIZE);
        return file.size();
      }

      @Override
      public int read(ByteBuffer into, long at) throws IOException {
        script.before(Step.READ);
        return file.read(into, at);
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }
}
