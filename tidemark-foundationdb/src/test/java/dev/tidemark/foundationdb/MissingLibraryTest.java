package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.tidemark.kv.UsageException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs where the client library is missing, as it is on most machines. */
class MissingLibraryTest {
  private static final String PROPERTY = "FDB_LIBRARY_PATH_FDB_C";

  @TempDir Path directory;

  private static void assumeMissing() {
    try {
      System.loadLibrary("fdb_c");
    } catch (UnsatisfiedLinkError missing) {
      return;
    }
    abort("The client library is installed here");
  }

  @Test
  void openSaysWhatIsMissingWhereToGetItAndHowToNameIt() {
    assumeMissing();

    assertThatThrownBy(FoundationDb::open)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("libfdb_c cannot be loaded from java.library.path")
        .hasMessageContaining("foundationdb-clients 7.4 or later")
        .hasMessageContaining("https://github.com/apple/foundationdb/releases")
        .hasMessageContaining("-D" + PROPERTY);
  }

  @Test
  void failedOpenCanBeTriedAgainWithTheSameAnswer() {
    assumeMissing();

    assertThatThrownBy(FoundationDb::open).isInstanceOf(UsageException.class);
    assertThatThrownBy(FoundationDb::open).isInstanceOf(UsageException.class);
  }

  @Test
  void clusterFileThatIsNotThereIsNamed() {
    Path absent = directory.resolve("absent.cluster");

    assertThatThrownBy(() -> FoundationDb.open(absent))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(absent.toString());
  }

  @Test
  void tlsNeedsAllItsFiles() {
    Path file = Path.of("some.pem");

    assertThatThrownBy(() -> new TlsFiles(file, file, Path.of("")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("authorities is \"\"");
  }
}
