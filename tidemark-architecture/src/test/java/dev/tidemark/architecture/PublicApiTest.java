package dev.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * docs/api lists what a program can name of each module, so that a review shows what a change does
 * to it. CONTRIBUTING.md has the command that writes the lists anew.
 */
class PublicApiTest {
  private static final String FIXTURES = "dev.tidemark.architecture.fixtures";

  /** Writes the lists instead of comparing them. */
  private static final boolean WRITES = Boolean.getBoolean("tidemark.api.write");

  /** Modules without code, or that nobody programs against. */
  private static final Set<String> WITHOUT_API =
      Set.of("bom", "foundationdb-local", "node", "bench", "chaos", "architecture");

  static Stream<String> modules() {
    return Repository.modules().stream().filter(module -> !WITHOUT_API.contains(module)).sorted();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void apiIsTheOneThatIsListed(String module) throws IOException {
    List<String> api = PublicApi.of(Repository.classesOf(module), Layout.PRODUCT);
    Path list = Repository.root().resolve("docs/api/tidemark-" + module + ".txt");
    if (WRITES) {
      Files.createDirectories(list.getParent());
      Files.write(list, api);
    }
    assertThat(Files.exists(list) ? Files.readAllLines(list) : List.<String>of())
        .as(
            "docs/api/tidemark-%s.txt is not the API of the module. If the change of the API is"
                + " meant, write the lists anew (CONTRIBUTING.md, Public API) and commit them with"
                + " it",
            module)
        .containsExactlyElementsOf(api);
  }

  @Test
  void listHasWhatAProgramCanNameAndNothingElse() {
    List<String> api =
        PublicApi.of(
            new ClassFileImporter().importPackages(FIXTURES + ".kv"), new Layout(FIXTURES));

    assertThat(api)
        .containsExactly(
            "class " + FIXTURES + ".kv.Store",
            "  leaks(): java.util.List<" + FIXTURES + ".kv.spi.Machinery>",
            "  new()",
            "  protected takes(" + FIXTURES + ".kv.spi.Machinery[]): void",
            "  size(): int",
            "  sizeLater(): java.util.concurrent.CompletableFuture<Integer>",
            "  upwards(" + FIXTURES + ".embedded.Engine): void");
  }
}
