package dev.tidemark.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The files of this repository, as the build sees them. */
final class Repository {
  private static final Pattern MODULE = Pattern.compile("<module>tidemark-([a-z-]+)</module>");

  private Repository() {}

  /** The directory that holds the root pom. */
  static Path root() {
    String root = System.getProperty("tidemark.root");
    if (root == null) {
      throw new IllegalStateException(
          "The system property tidemark.root is not set; run this test with ./mvnw");
    }
    return Path.of(root);
  }

  /** The modules that the root pom names, without their common prefix. */
  static List<String> modules() {
    return MODULE.matcher(read("pom.xml")).results().map(found -> found.group(1)).toList();
  }

  /** The main classes of {@code module}; none if it has no code. */
  static JavaClasses classesOf(String module) {
    return imported(List.of(classDirectory(module)));
  }

  /** The main classes of all modules. */
  static JavaClasses classes() {
    return imported(modules().stream().map(Repository::classDirectory).toList());
  }

  /** The text of a file, given from the root. */
  static String read(String file) {
    try {
      return Files.readString(root().resolve(file));
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read " + file, failure);
    }
  }

  private static JavaClasses imported(List<Path> directories) {
    return new ClassFileImporter().importPaths(directories.stream().filter(Files::exists).toList());
  }

  private static Path classDirectory(String module) {
    return root().resolve("tidemark-" + module).resolve("target/classes");
  }
}
