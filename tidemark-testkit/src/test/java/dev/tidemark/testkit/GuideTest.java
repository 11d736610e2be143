package dev.tidemark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuideTest {
  private static final String TEXT =
      """
      # Guide

      ```java
      int one = 1;
      ```

      ## First

      ```java
      first(
          one);
      ```

      ### Deeper

      ```java
      deeper();
      ```

      ## Second

      ```
      3 rows of 4
      ```
      """;

  @TempDir private Path directory;
  private String guide = "";
  private String source = "";

  @BeforeEach
  void write() throws IOException {
    guide = Files.writeString(directory.resolve("guide.md"), TEXT).toString();
    source =
        Files.writeString(directory.resolve("Source.java"), "int one = 1; first(one);").toString();
  }

  @Test
  void blockOfJavaMayBeBrokenIntoOtherLines() {
    assertThat(Guide.read(guide).blocks()).hasSize(3);
    assertThatThrownBy(() -> Guide.read(guide).showsCodeOf(3, source))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("deeper();");
    assertThatThrownBy(() -> Guide.read(guide).showsCodeOf(2, source))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("blocks of Java");
  }

  @Test
  void filesOfADirectoryAreSourcesTogether() throws IOException {
    Files.writeString(directory.resolve("Other.java"), "deeper();");
    Guide.read(guide).showsCodeOf(3, directory.toString());
  }

  @Test
  void partEndsAtTheNextHeadingOfItsLevel() {
    assertThat(Guide.read(guide).part("## First").blocks()).hasSize(2);
    assertThat(Guide.read(guide).part("### Deeper").blocks()).containsExactly("deeper();\n");
    assertThatThrownBy(() -> Guide.read(guide).part("## Third"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("## Third");
  }

  @Test
  void outputIsLookedForInThePartAlone() {
    Guide.read(guide).part("## Second").showsOutput("3 rows\nof 4");
    assertThatThrownBy(() -> Guide.read(guide).part("## First").showsOutput("3 rows"))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void whatVariesMayBeSomethingElse() {
    Guide second = Guide.read(guide).part("## Second");
    second.showsOutput("5 rows of 4", Pattern.compile("\\d+ rows"));
    assertThatThrownBy(() -> second.showsOutput("3 rows of 5", Pattern.compile("\\d+ rows")))
        .isInstanceOf(AssertionError.class);
  }
}
