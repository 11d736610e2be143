package dev.tidemark.pulse.internal.common;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListTextTest {
  private static List<String> decode(String text) {
    return ListText.decode(text.getBytes(UTF_8)).stream()
        .map(bytes -> new String(bytes, UTF_8))
        .toList();
  }

  private static String encode(String... values) {
    List<byte[]> list = List.of(values).stream().map(value -> value.getBytes(UTF_8)).toList();
    return new String(ListText.encode(list), UTF_8);
  }

  @Test
  void textsGiveAJsonArray() {
    assertThat(encode()).isEqualTo("[]");
    assertThat(encode("a", "b,c")).isEqualTo("[\"a\",\"b,c\"]");
    assertThat(encode("\"", "\\", "\n", "é")).isEqualTo("[\"\\\"\",\"\\\\\",\"\\u000a\",\"é\"]");
  }

  @Test
  void arraysOfOtherWritersAreRead() {
    assertThat(decode(" [ \"a\" , \"b\" ] ")).containsExactly("a", "b");
    assertThat(decode("[\"\\/\\b\\f\\n\\r\\t\\\"\\\\\"]")).containsExactly("/\b\f\n\r\t\"\\");
    assertThat(decode("[\"\\u00e9\\ud83c\\udf0a\\u65e5\"]")).containsExactly("é🌊日");
    assertThat(decode("[]")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"a\"",
        "[\"a\"]x",
        "[\"a\" \"b\"]",
        "[\"a\",]",
        "[1,2]",
        "[\"\\x\"]",
        "[\"\\u12\"]",
        "[\"\\ud83c\"]",
        "[\"\\udf0a\"]",
        "[\"a",
        "[\"a\\",
        "{\"a\":1,\"b\":2}",
        "\"a\""
      })
  void whatIsNoArrayOfTextsIsReadAsValuesBetweenCommas(String text) {
    assertThat(decode(text)).containsExactly(text.split(",", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"a,b|2", "a|1", ",|2", "a,|2", "''|0"})
  void commasSeparate(String text, int values) {
    assertThat(decode(text)).hasSize(values);
  }

  @ParameterizedTest
  @SeedSource(count = 20)
  void anyBytesComeBack(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> values = new ArrayList<>();
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      byte[] value = new byte[random.nextInt(12)];
      random.nextBytes(value);
      values.add(value);
    }
    assertThat(ListText.decode(ListText.encode(values)))
        .usingElementComparator(Arrays::compare)
        .containsExactlyElementsOf(values);
  }
}
