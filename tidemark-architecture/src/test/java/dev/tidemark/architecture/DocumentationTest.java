package dev.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents tell the truth, as far as a test can know. */
class DocumentationTest {
  private static final String PROGRAM = "tidemark-all/src/test/java/dev/tidemark/";

  /** A suite, which every engine runs. */
  private static final String GUIDE_OF_PULSE =
      "tidemark-pulse-testkit/src/main/java/dev/tidemark/pulse/testkit/PulseGuide.java";

  private static final Document README = Document.read("README.md");
  private static final String CODE = Repository.mainSources();
  private static final String TESTED =
      squeezed(Repository.testSources() + Repository.read(GUIDE_OF_PULSE));
  private static final String VERSION = Document.read("pom.xml").versionOf("tidemark-parent");

  @Test
  void programInTheReadmeIsTheOneThatIsTested() {
    assertThat(README.code("java")).containsExactly(program("Order.java"), program("Shop.java"));
  }

  private static String program(String file) {
    String source = Repository.read(PROGRAM + file);
    String begin = "// tag::program\n";
    return source.substring(
        source.indexOf(begin) + begin.length(), source.indexOf("// end::program"));
  }

  @Test
  void readmeIsShort() {
    assertThat(README.text().lines()).hasSizeLessThanOrEqualTo(120);
  }

  @Test
  void limitsInTheReadmeAreTheDefaults() {
    Limits limits = Limits.DEFAULTS;

    assertThat(README.text())
        .contains(row("key", limits.keyBytes(), "bytes"))
        .contains(row("value", limits.valueBytes(), "bytes"))
        .contains(row("transaction", limits.transactionBytes(), "bytes"))
        .contains(row("read version", limits.readWindow().toSeconds(), "seconds"))
        .contains(row("open watches", limits.watches(), ""));
  }

  /** How lines are broken does not count. */
  @ParameterizedTest
  @MethodSource("documents")
  void everyBlockOfJavaIsPartOfASourceThatIsTested(String file) {
    for (String block : Document.read(file).code("java")) {
      assertThat(TESTED).as(file).contains(squeezed(block));
    }
  }

  private static String squeezed(String text) {
    return text.replaceAll("\\s+", "");
  }

  private static String row(String what, long number, String unit) {
    return String.format(Locale.ROOT, "| %s | %,d %s", what, number, unit).stripTrailing();
  }

  @Test
  void commandsInTheDocumentsAreThoseOfTheLauncher() throws Exception {
    List<String> known = Launcher.run("help").commands();

    assertThat(known)
        .contains("test", "demo", "bench", "chaos", "serve", "records", "changes", "help");
    assertThat(README.commands()).contains("test", "demo", "bench", "chaos");
    for (String file : documents()) {
      assertThat(Document.read(file).commands()).as(file).isSubsetOf(known);
    }
  }

  /** There is no program of that name on the path, only the launcher of the repository. */
  @ParameterizedTest
  @MethodSource("documents")
  void commandsInTheDocumentsCanBeTypedAsTheyAre(String file) throws Exception {
    assertThat(Document.read(file).commandsWithoutPath())
        .doesNotContainAnyElementsOf(Launcher.run("help").commands());
  }

  @Test
  void commandWithoutPathIsFound() {
    Document document = new Document("", "`tidemark query STORE`\n\n    tidemark serve store\n");

    assertThat(document.commandsWithoutPath()).containsExactly("query", "serve");
  }

  @Test
  void testingGuideNamesTheVersionsThatComeAlong() {
    String pom = Repository.read("pom.xml");
    Matcher junit = Pattern.compile("<junit.version>(.*)</").matcher(pom);
    Matcher assertj = Pattern.compile("<assertj.version>(.*)</").matcher(pom);

    assertThat(junit.find() && assertj.find()).isTrue();
    assertThat(Document.read("docs/testing.md").text())
        .contains("JUnit " + junit.group(1) + " and AssertJ " + assertj.group(1));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void coordinatesInTheDocumentsAreThoseOfTheBuild(String file) {
    List<Coordinates> published = Coordinates.in(Repository.read("tidemark-bom/pom.xml"));

    for (Coordinates named : Coordinates.in(Document.read(file).text())) {
      assertThat(published).extracting(Coordinates::artifact).contains(named.artifact());
      assertThat(named.version()).isIn("", VERSION);
    }
  }

  @Test
  void gettingStartedNamesTheVersionAndTheCompilerPluginOfTheBuild() {
    Document guide = Document.read("docs/getting-started.md");

    assertThat(Coordinates.in(guide.text()))
        .contains(new Coordinates("tidemark-bom", VERSION))
        .contains(new Coordinates("tidemark-embedded", ""));
    assertThat(guide.text()).contains("version `" + VERSION + "`");
    assertThat(guide.versionOf("maven-compiler-plugin"))
        .isNotEmpty()
        .isEqualTo(Document.read("pom.xml").versionOf("maven-compiler-plugin"));
    assertThat(Document.read("CHANGELOG.md").text())
        .contains("## " + VERSION.replace("-SNAPSHOT", ", not released yet") + "\n");
  }

  /** The table of modules names what a reader looks for first. */
  @Test
  void typesInTheTableOfModulesArePublicThere() {
    List<MatchResult> rows =
        Pattern.compile("(?m)^\\| `(tidemark-[a-z-]+)`[^|]*\\|[^|]*\\|([^|]*)\\|")
            .matcher(Document.read("docs/ARCHITECTURE.md").text())
            .results()
            .toList();

    assertThat(rows).hasSizeGreaterThan(15);
    for (MatchResult row : rows) {
      Set<String> types = matches("`(\\w+)`", row.group(2));
      if (!types.isEmpty()) {
        assertThat(matches("\\.([A-Z]\\w+)", Repository.read("docs/api/" + row.group(1) + ".txt")))
            .as(row.group(1))
            .containsAll(types);
      }
    }
  }

  /** Whoever renames or removes a suite is led to what it proves. */
  @Test
  void suitesThatProveTheGuaranteesAreThere() {
    Set<String> sources = Repository.namesOfSources();
    List<String> suites =
        Pattern.compile("`(\\w+(?:Test|Conformance|Suite|Check))`")
            .matcher(Document.read("docs/guarantees.md").text())
            .results()
            .map(match -> match.group(1) + ".java")
            .distinct()
            .toList();

    assertThat(suites).hasSizeGreaterThan(30);
    assertThat(sources).containsAll(suites);
  }

  @Test
  void testsOfTheCrashPointsAreThere() {
    List<MatchResult> tests =
        Pattern.compile("`(\\w+(?:Test|Contract))\\.(\\w+)`")
            .matcher(Document.read("docs/changes.md").text())
            .results()
            .toList();

    assertThat(tests).hasSizeGreaterThan(25);
    for (MatchResult test : tests) {
      assertThat(Repository.testSource(test.group(1)))
          .as(test.group())
          .contains("void " + test.group(2) + "(");
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void optionsInTheDocumentsAreThoseOfTheCode(String file) {
    assertThat(matches("\\b(with[A-Z]\\w+)\\b", Document.read(file).prose()))
        .isSubsetOf(matches("\\b(with[A-Z]\\w+)\\(", CODE));
  }

  @Test
  void metersInThePageOfOperatorsAreThoseOfTheCode() {
    Set<String> named =
        matches("`(tidemark\\.[a-z0-9.]+)`", Document.read("docs/operations.md").text());
    Set<String> known = new HashSet<>();
    for (String prefix :
        List.of(
            "",
            "tidemark.server.",
            "tidemark.changes.",
            "tidemark.loader.",
            "tidemark.records.",
            "tidemark.partitions.",
            "tidemark.pulse.")) {
      matches("\"([a-z0-9.]+)\"", CODE).forEach(n -> known.add(prefix + n));
    }

    assertThat(named).hasSizeGreaterThan(30).isSubsetOf(known);
  }

  /** People search for the message that they have met. */
  @Test
  void messagesOfTheFaqAreThoseOfTheCode() {
    String code = CODE + Repository.read("tidemark");
    Set<String> messages = matches("(?m)^### \"(.+)\"$", Document.read("docs/faq.md").text());

    assertThat(messages).hasSizeGreaterThan(25).allMatch(code::contains);
  }

  private static Set<String> matches(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void tutorialNamesTheDriverOfTheBuild() {
    Matcher driver = Pattern.compile("<duckdb.version>(.*)</").matcher(Repository.read("pom.xml"));

    assertThat(driver.find()).isTrue();
    assertThat(Document.read("docs/tutorial.md").versionOf("duckdb_jdbc"))
        .isEqualTo(driver.group(1));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void linksLeadSomewhere(String file) {
    List<String> broken = new ArrayList<>();
    for (String link : Document.read(file).links()) {
      if (!link.contains("://") && !leadsSomewhere(file, link)) {
        broken.add(link);
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void linkToNowhereIsFound() {
    assertThat(leadsSomewhere("README.md", "docs/no-such-file.md")).isFalse();
    assertThat(leadsSomewhere("README.md", "README.md#no-such-heading")).isFalse();
    assertThat(leadsSomewhere("README.md", "#tidemark")).isTrue();
  }

  private static boolean leadsSomewhere(String file, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? Path.of(file) : Path.of(file).resolveSibling(parts[0]);
    if (!Files.exists(Repository.root().resolve(target))) {
      return false;
    }
    return parts.length == 1
        || Document.read(target.normalize().toString()).anchors().contains(parts[1]);
  }

  static List<String> documents() throws IOException {
    Path root = Repository.root();
    try (Stream<Path> top = Files.list(root);
        Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      return Stream.concat(top, docs)
          .map(path -> root.relativize(path).toString())
          .filter(path -> path.endsWith(".md"))
          .sorted()
          .toList();
    }
  }
}
