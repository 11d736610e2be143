package dev.tidemark.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChartsTest {
  private static final Path ROOT = Path.of(System.getProperty("tidemark.root", ".."));

  /** New results in the page need a new picture: run Charts. */
  @Test
  void pictureShowsTheResultsOfThePage() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/benchmarks.md"));

    assertThat(Files.readString(ROOT.resolve("docs/images/ratios.svg")))
        .isEqualTo(Charts.ratios(page));
  }

  @Test
  void lineOfARunIsRead() {
    String page =
        """
        the last line is

            bench engine: get=… scan=…

        and was

            bench engine: get=0.95 scan=1.19
        """;

    assertThat(BenchLine.all(page, "engine"))
        .containsExactly(new BenchLine("engine", Map.of("get", 0.95, "scan", 1.19)));
  }

  @Test
  void missingResultIsNamed() {
    assertThatThrownBy(() -> Charts.ratios("")).hasMessageContaining("bench engine");
    assertThatThrownBy(() -> new BenchLine("engine", Map.of("get", 1.0)).value("scan"))
        .hasMessageContaining("no 'scan'")
        .hasMessageContaining("[get]");
  }

  @Test
  void slowerIsLeftOfOneAndFasterRight() {
    RatioChart chart = new RatioChart("title", "a < b & c");
    chart.group("group");
    chart.bar("half", 0.5);
    chart.bar("double", 2);

    assertThat(chart.svg())
        .contains("<rect class=\"slower\" x=\"405.0\"")
        .contains("<rect class=\"faster\" x=\"500.0\"")
        .contains("a &lt; b &amp; c");
  }
}
