package dev.tidemark.kv.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreesTest {
  @TempDir private Path directory;

  @Test
  void directoryGoesWithEverythingInIt() throws Exception {
    Path tree = directory.resolve("tree");
    Files.createDirectories(tree.resolve("a/b"));
    Files.writeString(tree.resolve("a/b/file"), "x");
    Files.writeString(tree.resolve("file"), "x");

    FileTrees.remove(tree);

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void directoryThatIsNotThereIsNoFailure() throws Exception {
    FileTrees.remove(directory.resolve("nowhere"));

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void whatALinkLeadsToStays() throws Exception {
    Path tree = Files.createDirectory(directory.resolve("tree"));
    Path kept = Files.createDirectory(directory.resolve("kept"));
    Files.writeString(kept.resolve("file"), "x");
    Files.createSymbolicLink(tree.resolve("link"), kept);

    FileTrees.remove(tree);

    assertThat(tree).doesNotExist();
    assertThat(kept.resolve("file")).hasContent("x");
  }
}
