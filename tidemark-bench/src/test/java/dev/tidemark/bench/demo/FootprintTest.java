package dev.tidemark.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FootprintTest {
  private static final int JAR_BYTES = 5_000;

  @TempDir Path root;

  @Test
  void countsEachJarOnceAndModulesByWhatTheirClassesPackTo() throws Exception {
    Path jar = Files.write(root.resolve("library.jar"), new byte[JAR_BYTES]);
    Path below = module("below", jar.toString());
    module("above", below + File.pathSeparator + jar);

    Footprint footprint = Footprint.of(root, "below", "above");

    assertThat(footprint.jars()).isEqualTo(3);
    assertThat(footprint.bytes()).isBetween((long) JAR_BYTES, JAR_BYTES + 2_000L);
    assertThat(footprint.lines()).anyMatch(line -> line.endsWith("library.jar"));
  }

  /** A module with one class that packs well; returns where its classes are. */
  private Path module(String name, String classPath) throws Exception {
    Path classes = Files.createDirectories(root.resolve(name).resolve("target").resolve("classes"));
    Files.write(classes.resolve("A.class"), new byte[100_000]);
    Files.writeString(classes.resolveSibling("classpath"), classPath);
    return classes;
  }
}
