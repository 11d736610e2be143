package dev.tidemark.pulse.internal.pool.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTimesTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* * * * *|2026-11-16T07:30:20|2026-11-16T07:31",
        "* * * * *|2026-11-16T07:30:00|2026-11-16T07:31",
        "0 * * * *|2026-11-16T07:30|2026-11-16T08:00",
        "@hourly|2026-11-16T07:30|2026-11-16T08:00",
        "*/15 * * * *|2026-11-16T07:31|2026-11-16T07:45",
        "5/20 * * * *|2026-11-16T07:31|2026-11-16T07:45",
        "10,40 9-17/4 * * *|2026-11-16T09:41|2026-11-16T13:10",
        "30 6 * * *|2026-11-16T07:30|2026-11-17T06:30",
        "0 0 1 * *|2026-11-16T07:30|2026-12-01T00:00",
        "0 0 1 1 *|2026-11-16T07:30|2027-01-01T00:00",
        "0 0 31 * *|2026-11-16T07:30|2026-12-31T00:00",
        "0 0 29 2 *|2026-11-16T07:30|2028-02-29T00:00",
        "0 0 29 2 *|2096-02-29T00:00|2104-02-29T00:00",
        "0 9 * * MON-FRI|2026-11-20T10:00|2026-11-23T09:00",
        "0 9 * * 7|2026-11-16T10:00|2026-11-22T09:00",
        "0 9 * * sun|2026-11-16T10:00|2026-11-22T09:00",
        "0 9 * jan,mar *|2026-11-16T10:00|2027-01-01T09:00",
        "0 0 13 * FRI|2026-11-16T07:30|2026-11-20T00:00",
        "0 0 13 * FRI|2026-12-11T07:30|2026-12-13T00:00",
        "0 0 */2 * MON|2026-11-16T07:30|2026-11-23T00:00",
      })
  void nextTimeIsTheFirstThatFits(String expression, LocalDateTime after, LocalDateTime next) {
    assertThat(CronTimes.parse(expression, ZoneOffset.UTC).next(after.toInstant(ZoneOffset.UTC)))
        .contains(next.toInstant(ZoneOffset.UTC));
  }

  @Test
  void dayThatDoesNotExistNeverComes() {
    assertThat(CronTimes.parse("0 0 30 2 *", ZoneOffset.UTC).next(Instant.EPOCH)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * 32 * *",
        "* * * 13 *",
        "* * * * 8",
        "5-1 * * * *",
        "*/0 * * * *",
        "1,,2 * * * *",
        "a * * * *",
        "-1 * * * *",
        "1- * * * *",
        "*/ * * * *",
        "@never",
        "* * * MON *",
        "99999999999 * * * *"
      })
  void whatIsNoExpressionIsRefused(String expression) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CronTimes.parse(expression, ZoneOffset.UTC))
        .withMessageContaining("cron expression");
  }

  private static List<String> times(String expression, String from, int count) {
    CronTimes times = CronTimes.parse(expression, BERLIN);
    List<String> found = new ArrayList<>();
    Instant time = Instant.parse(from);
    for (int i = 0; i < count; i++) {
      time = times.next(time).orElseThrow();
      found.add(time.toString());
    }
    return found;
  }

  @Test
  void timeThatTheClocksLeaveOutComesWhenTheyAreSet() {
    assertThat(times("30 2 * * *", "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
  }

  @Test
  void timeThatComesTwiceComesOnce() {
    assertThat(times("30 2 * * *", "2026-10-24T12:00:00Z", 2))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
  }

  @Test
  void everyHourIsEveryHourThroughTheYear() {
    assertThat(times("15 * * * *", "2026-10-24T23:30:00Z", 3))
        .containsExactly("2026-10-25T00:15:00Z", "2026-10-25T01:15:00Z", "2026-10-25T02:15:00Z");
    assertThat(times("15 * * * *", "2026-03-29T00:00:00Z", 2))
        .containsExactly("2026-03-29T00:15:00Z", "2026-03-29T01:15:00Z");
  }
}
