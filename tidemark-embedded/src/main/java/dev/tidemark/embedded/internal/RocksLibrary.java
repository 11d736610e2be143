package dev.tidemark.embedded.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * Loads RocksDB's native library from a copy that is unpacked once a version and user. Left to
 * itself RocksDB unpacks a new copy for every process, and a process that is killed leaves it
 * behind.
 */
final class RocksLibrary {
  private RocksLibrary() {}

  static void load() {
    Loaded.touch();
  }

  /** Loading happens once, in this class's initialiser. */
  private static final class Loaded {
    static {
      Path folder = unpack();
      if (folder == null) {
        RocksDB.loadLibrary();
      } else {
        RocksDB.loadLibrary(List.of(folder.toString()));
      }
    }

    static void touch() {}
  }

  /** The folder with the library; null where none can be made, as on a read-only system. */
  private static @Nullable Path unpack() {
    String resource = Environment.getJniLibraryFileName("rocksdb");
    try (InputStream library = RocksDB.class.getClassLoader().getResourceAsStream(resource)) {
      if (library == null) {
        return null;
      }
      byte[] bytes = library.readAllBytes();
      CRC32C checksum = new CRC32C();
      checksum.update(bytes);
      Path folder = cache().resolve("rocksdb-%08x".formatted(checksum.getValue()));
      Path file = folder.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
      if (Files.isRegularFile(file) && Files.size(file) == bytes.length) {
        return folder;
      }
      Files.createDirectories(folder);
      Path fresh = Files.createTempFile(folder, resource, ".part");
      Files.write(fresh, bytes);
      move(fresh, file);
      return folder;
    } catch (IOException | SecurityException unwritable) {
      return null;
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException simpleFileSystem) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static Path cache() {
    String xdg = System.getenv("XDG_CACHE_HOME");
    Path base =
        xdg == null || xdg.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(xdg);
    return base.resolve("tidemark");
  }
}
