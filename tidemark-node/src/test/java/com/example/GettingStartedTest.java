package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedOptions;
import dev.tidemark.node.Printed;
import dev.tidemark.testkit.Guide;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/getting-started.md. */
class GettingStartedTest {
  private static final Guide GUIDE = Guide.read("docs/getting-started.md");
  private static final String SOURCES = "tidemark-node/src/test/java/com/example/";
  private static final long MIB = 1 << 20;

  @Test
  void programRemembersItsGuests(@TempDir Path directory) {
    String store = directory.resolve("hello-store").toString();

    GUIDE.showsOutput(printed(store, "ann") + printed(store, "bob") + printed(store, "ann"));
  }

  private static String printed(String... arguments) {
    String line = Printed.by(() -> Hello.main(arguments));
    assertThat(line).isNotBlank();
    return line;
  }

  @Test
  void memoryIsWhatTheGuideSays() {
    EmbeddedOptions options = EmbeddedOptions.DEFAULTS;

    GUIDE.showsOutput("| `withCacheBytes` | " + options.cacheBytes() / MIB + " MiB |");
    GUIDE.showsOutput("| `withRowCacheBytes` | an eighth of the heap, at most 1 GiB |");
    GUIDE.showsOutput("| `withWriteBufferBytes` | " + options.writeBufferBytes() / MIB + " MiB |");
    assertThat(options.rowCacheBytes())
        .isEqualTo(Math.min(Runtime.getRuntime().maxMemory() / 8, 1024 * MIB));
  }

  /** The guide shows both files as a whole, with their imports. */
  @Test
  void guideShowsTheProgramThatRuns() {
    GUIDE.showsCodeOf(2, SOURCES + "Visit.java", SOURCES + "Hello.java");
    assertThat(GUIDE.blocks()).allMatch(block -> block.startsWith("package com.example;"));
  }
}
