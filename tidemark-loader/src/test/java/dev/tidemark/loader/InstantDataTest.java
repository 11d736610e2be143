package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstantDataTest {
  private static final Instant PUBLISHED = Instant.parse("2069-01-01T00:00:00Z");

  private static Mapping.Result map(String point, String timestamp, String power) {
    return InstantData.mapping()
        .map(
            Message.of(
                "m",
                PUBLISHED,
                Map.of("point_id", point, "timestamp", timestamp, "power", power),
                "{\"power\":7}".getBytes(StandardCharsets.UTF_8)));
  }

  private static String reason(Mapping.Result result) {
    assertThat(result).isInstanceOf(Mapping.Result.Rejected.class);
    return ((Mapping.Result.Rejected) result).reason();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1999-12-31T15:00:00Z",
    "86400, 2000-01-01T15:00:00Z",
    "800000000, 2025-05-07T21:13:20Z",
    "2147483647, 2068-01-18T18:14:07Z"
  })
  void secondsCountFromTheYear2000InJapan(String seconds, Instant expected) {
    assertThat(map("a", seconds, "100"))
        .isInstanceOfSatisfying(
            Mapping.Result.Mapped.class,
            mapped -> {
              assertThat(mapped.row().value(0)).isEqualTo("a");
              assertThat(mapped.row().value(1)).isEqualTo(expected);
              assertThat(mapped.row().value(2)).isEqualTo(100L);
            });
  }

  @Test
  void powerThatIsFedInIsNegative() {
    assertThat(map("a", "0", "-250"))
        .isInstanceOfSatisfying(
            Mapping.Result.Mapped.class,
            mapped -> assertThat(mapped.row().value(2)).isEqualTo(-250L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abc",
        "12x",
        "99999999999999999999",
        "12.5",
        "+1",
        "１２",
        " 1",
        "1 ",
        "1e3",
        "0x10",
        "--1",
        "-",
        "٣"
      })
  void powerThatIsNoWholeNumberIsRefused(String power) {
    assertThat(reason(map("a", "0", power))).startsWith("power is refused: '" + power + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1",
        "12.5",
        "+1",
        "１",
        " 1",
        "1 ",
        "abc",
        "99999999999999999999",
        "9999999999",
        "1e3"
      })
  void timeThatIsNoCountOfSecondsIsRefused(String timestamp) {
    assertThat(reason(map("a", timestamp, "1"))).contains("timestamp is").contains(timestamp);
  }

  @ParameterizedTest
  @ValueSource(strings = {"point_id", "power", "timestamp"})
  void missingOrBlankAttributesAreNamed(String missing) {
    Map<String, String> attributes =
        new HashMap<>(Map.of("point_id", "p", "power", "1", "timestamp", "1"));
    for (String blank : new String[] {"", "  ", "\u3000", null}) {
      if (blank == null) {
        attributes.remove(missing);
      } else {
        attributes.put(missing, blank);
      }
      Message message = Message.of("m", PUBLISHED, attributes, new byte[0]);
      assertThat(reason(InstantData.mapping().map(message))).contains("missing " + missing);
    }
  }

  @Test
  void timeMoreThanADayAfterThePublicationIsRefused() {
    Message early =
        Message.of(
            "m",
            Instant.parse("2025-05-06T21:13:19Z"),
            Map.of("point_id", "p", "power", "1", "timestamp", "800000000"),
            new byte[0]);

    assertThat(reason(InstantData.mapping().map(early))).contains("more than a day after");
  }
}
