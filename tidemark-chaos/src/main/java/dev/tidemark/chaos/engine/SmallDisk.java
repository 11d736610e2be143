package dev.tidemark.chaos.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A place that is soon full. */
sealed interface SmallDisk extends AutoCloseable {
  /** Where the database goes. */
  Path directory();

  /** What to put before the command of a process that is to feel the limit. */
  List<String> prefix();

  /** Makes space while the process goes on; false if only a new process gets more. */
  boolean free();

  /** Which kind of limit this is. */
  String name();

  @Override
  void close();

  /** A file system of its own if this user may mount one, else a limit on the size of files. */
  static SmallDisk open(Path mountPoint) {
    try {
      Files.createDirectories(mountPoint);
      if (Mounted.command("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", mountPoint)) {
        return new Mounted(mountPoint);
      }
      return new FileLimit(mountPoint.resolve("database"));
    } catch (IOException failure) {
      throw new UncheckedIOException("The small disk cannot be made", failure);
    }
  }

  /** A tmpfs of 24 MB, a part of which is taken up by a file that can be removed. */
  final class Mounted implements SmallDisk {
    private static final int FILLER_BYTES = 8 << 20;

    private final Path mountPoint;
    private final Path filler;
    private final Thread atExit;

    private Mounted(Path mountPoint) throws IOException {
      this.mountPoint = mountPoint;
      this.filler = mountPoint.resolve("filler");
      this.atExit = new Thread(this::unmount, "chaos-unmount");
      Runtime.getRuntime().addShutdownHook(atExit);
      Files.write(filler, new byte[FILLER_BYTES]);
    }

    @Override
    public Path directory() {
      return mountPoint.resolve("database");
    }

    @Override
    public List<String> prefix() {
      return List.of();
    }

    @Override
    public boolean free() {
      try {
        Files.deleteIfExists(filler);
        return true;
      } catch (IOException failure) {
        throw new UncheckedIOException("The filler cannot be removed", failure);
      }
    }

    @Override
    public String name() {
      return "tmpfs";
    }

    @Override
    public void close() {
      Runtime.getRuntime().removeShutdownHook(atExit);
      unmount();
    }

    private void unmount() {
      if (!command("umount", mountPoint)) {
        command("umount", "-l", mountPoint);
      }
    }

    private static boolean command(Object... words) {
      List<String> command = List.of(words).stream().map(Object::toString).toList();
      try {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor()
            == 0;
      } catch (IOException notThere) {
        return false;
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  /** A limit of 2 MB on the size of each file, which the process inherits from a shell. */
  record FileLimit(Path directory) implements SmallDisk {
    @Override
    public List<String> prefix() {
      // The unit of ulimit is 512 bytes in a POSIX shell and 1,024 in others; both fill up.
      return List.of("sh", "-c", "ulimit -f 4096; exec \"$@\"", "sh");
    }

    @Override
    public boolean free() {
      return false;
    }

    @Override
    public String name() {
      return "file-size-limit";
    }

    @Override
    public void close() {}
  }
}
