package dev.tidemark.embedded.internal.storage;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.JarEntry;
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
    URL url = RocksDB.class.getClassLoader().getResource(resource);
    try {
      if (url == null || !(url.openConnection() instanceof JarURLConnection jar)) {
        return null;
      }
      JarEntry library = jar.getJarEntry();
      Path folder = cache().resolve("rocksdb-%08x".formatted(library.getCrc()));
      Path file = folder.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
      if (!Files.isRegularFile(file) || Files.size(file) != library.getSize()) {
        Files.createDirectories(folder);
        Path fresh = Files.createTempFile(folder, resource, ".part");
        try (InputStream bytes = url.openStream()) {
          Files.copy(bytes, fresh, StandardCopyOption.REPLACE_EXISTING);
        }
        move(fresh, file);
      }
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
    String xdg = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
    if (!xdg.isBlank()) {
      return Path.of(xdg, "tidemark");
    }
    String home = System.getenv().getOrDefault("HOME", System.getProperty("user.home"));
    return Path.of(home, ".cache", "tidemark");
  }
}
