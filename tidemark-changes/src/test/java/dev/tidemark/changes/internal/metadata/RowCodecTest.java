package dev.tidemark.changes.internal.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.changes.Position;
import dev.tidemark.changes.RunRow;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.testkit.Guide;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RowCodecTest {
  private static final RunRow ROW =
      new RunRow(
          1,
          "s",
          Position.of(new byte[] {1}),
          false,
          Optional.empty(),
          Instant.parse("2023-11-14T22:13:20.5Z"));

  @Test
  void rowHasTheBytesOfTheFormatPage() {
    byte[] bytes = RowCodec.encode(ROW).pack();

    Guide.read("docs/formats/change-readers.md").showsOutput(HexFormat.of().formatHex(bytes));
    assertThat(RowCodec.decodeRun(bytes)).isEqualTo(ROW);
  }

  @Test
  void rowOfANewerFormatIsRefused() {
    assertThatThrownBy(() -> RowCodec.decodeRun(Tuple.of(2, "x").pack()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("format 2");
  }
}
