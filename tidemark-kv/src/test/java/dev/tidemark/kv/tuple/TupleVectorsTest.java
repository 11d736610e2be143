package dev.tidemark.kv.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Versionstamp;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The vectors of docs/formats/tuple.md. */
class TupleVectorsTest {
  private static final Pattern ROW = Pattern.compile("\\| `(\\(.*\\))` \\| `([0-9a-f]*)` \\|");
  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);
  private static final byte[] FOO_BAR = "foo\0bar".getBytes(StandardCharsets.US_ASCII);

  /** In the order of the page. */
  private static final List<Tuple> TUPLES =
      List.of(
          Tuple.of(),
          Tuple.of((Object) null),
          Tuple.of((Object) FOO_BAR),
          Tuple.of("F\u00d4O\0bar"),
          Tuple.of(Tuple.of(FOO_BAR, null, Tuple.EMPTY)),
          Tuple.of(Tuple.of("I")),
          Tuple.of(0),
          Tuple.of((byte) 1),
          Tuple.of((short) -1),
          Tuple.of(42),
          Tuple.of(255),
          Tuple.of(256),
          Tuple.of(300L),
          Tuple.of(1001),
          Tuple.of(12345),
          Tuple.of(-5551212),
          Tuple.of(Long.MAX_VALUE),
          Tuple.of(Long.MIN_VALUE),
          Tuple.of(TWO_TO_64.subtract(BigInteger.ONE)),
          Tuple.of(TWO_TO_64.subtract(BigInteger.ONE).negate()),
          Tuple.of(TWO_TO_64),
          Tuple.of(TWO_TO_64.negate()),
          Tuple.of(-42f),
          Tuple.of(-0.0),
          Tuple.of(0.0),
          Tuple.of(Double.NEGATIVE_INFINITY),
          Tuple.of(3.14),
          Tuple.of(false),
          Tuple.of(true),
          Tuple.of(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff")),
          Tuple.of(Versionstamp.of(1, 2, 3)),
          Tuple.of("User", 123),
          Tuple.of("User", List.of(123)));

  @Test
  void eachVectorOfThePagePacksUnpacksAndPrintsAsWritten() throws IOException {
    Map<String, String> page = page();
    assertThat(page.keySet())
        .containsExactlyElementsOf(TUPLES.stream().map(Tuple::toString).toList());
    for (Tuple tuple : TUPLES) {
      Key packed = Key.hex(page.getOrDefault(tuple.toString(), ""));
      assertThat(tuple.toKey().toHex()).as("%s", tuple).isEqualTo(packed.toHex());
      assertThat(Tuple.unpack(packed)).isEqualTo(tuple);
    }
  }

  private static Map<String, String> page() throws IOException {
    Path file = Path.of(System.getProperty("tidemark.root"), "docs/formats/tuple.md");
    Map<String, String> rows = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      var row = ROW.matcher(line);
      if (row.matches()) {
        rows.put(row.group(1), row.group(2));
      }
    }
    return rows;
  }
}
