package dev.tidemark.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

  /** The names of all files of Java, tests included. */
  static Set<String> namesOfSources() {
    Set<String> names = new HashSet<>();
    for (Path file : sources("src")) {
      names.add(file.getFileName().toString());
    }
    return names;
  }

  /** The text of the test class {@code name}. */
  static String testSource(String name) {
    return sources("src/test/java").stream()
        .filter(file -> file.endsWith(name + ".java"))
        .findFirst()
        .map(file -> read(root().relativize(file).toString()))
        .orElseThrow(() -> new IllegalArgumentException("There is no test class " + name));
  }

  /** The text of all main code. */
  static String mainSources() {
    return textOf("src/main/java");
  }

  /** The text of all tests. */
  static String testSources() {
    return textOf("src/test/java");
  }

  private static String textOf(String below) {
    StringBuilder text = new StringBuilder();
    for (Path file : sources(below)) {
      text.append(read(root().relativize(file).toString()));
    }
    return text.toString();
  }

  private static List<Path> sources(String below) {
    List<Path> sources = new ArrayList<>();
    for (String module : modules()) {
      Path directory = root().resolve("tidemark-" + module).resolve(below);
      if (Files.exists(directory)) {
        try (Stream<Path> files = Files.walk(directory)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        } catch (IOException failure) {
          throw new UncheckedIOException("Cannot list " + directory, failure);
        }
      }
    }
    return sources;
  }

  private static JavaClasses imported(List<Path> directories) {
    return new ClassFileImporter().importPaths(directories.stream().filter(Files::exists).toList());
  }

  private static Path classDirectory(String module) {
    return root().resolve("tidemark-" + module).resolve("target/classes");
  }
}
