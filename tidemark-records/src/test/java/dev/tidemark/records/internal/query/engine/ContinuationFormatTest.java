package dev.tidemark.records.internal.query.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.query.Continuation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The vectors of docs/formats/continuations.md are what the code writes and reads. */
class ContinuationFormatTest {
  private static final Pattern ROW = Pattern.compile("\\| `([0-9a-f]+)` \\|.*");
  private static final byte[] KEY = {0x15, 0x07, 0x14};
  private static final byte[] OTHER = {0x15, 0x09, 0x14};
  private static final byte[] PRIMARY_KEY = {0x15, 0x07};
  private static final byte[] SORT_KEY = {0x01, 0x15, 0x1e};

  /** The rows of the page, from top to bottom. */
  private static final List<CursorPlace> PLACES =
      List.of(
          new CursorPlace(-2, 1, 3, 0, -1, false, Tuple.of((Object) KEY)),
          new CursorPlace(-2, 1, 3, 5, 10, false, Tuple.of(KEY, 2)),
          new CursorPlace(-2, 1, 3, 0, -1, false, Tuple.of(1, Tuple.of((Object) KEY))),
          new CursorPlace(
              -2, 1, 3, 0, -1, false, Tuple.of(Tuple.of((Object) KEY), Tuple.of((Object) OTHER))),
          new CursorPlace(-2, 1, 3, 0, -1, false, Tuple.of(PRIMARY_KEY, 1)),
          new CursorPlace(-2, 1, 3, 0, 4, false, Tuple.of(SORT_KEY, PRIMARY_KEY)),
          new CursorPlace(-2, 1, 3, 0, 0, true, Tuple.EMPTY));

  @Test
  void continuationsAreThoseOfTheFormatPage() throws IOException {
    List<String> written = PLACES.stream().map(place -> place.toContinuation().toString()).toList();

    assertThat(written).isEqualTo(page());
  }

  @Test
  void continuationsOfTheFormatPageAreRead() throws IOException {
    List<CursorPlace> read =
        page().stream()
            .map(hex -> CursorPlace.of(Continuation.of(HexFormat.of().parseHex(hex))))
            .toList();

    assertThat(read).isEqualTo(PLACES);
  }

  @Test
  void bytesThatAreNoContinuationAreRefusedWithTheReason() {
    assertRefused(new byte[0], "it is empty");
    assertRefused(new byte[] {3, 0x15}, "its format is 3");
    assertRefused(new byte[] {2, 0x15}, "changed");
    assertRefused(new byte[] {1, 0x15, 0x01}, "1 fields");
    assertRefused(new byte[] {1, 0x7f}, "changed");
  }

  @Test
  void everyChangeOfAByteIsNoticed() {
    byte[] bytes = PLACES.get(1).toContinuation().toBytes();
    for (int at = 0; at < bytes.length; at++) {
      byte[] changed = bytes.clone();
      changed[at] ^= 0x10;
      assertThatThrownBy(() -> CursorPlace.of(Continuation.of(changed)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no continuation");
    }
  }

  @Test
  void everyCutAndEveryOtherFormatIsNoticed() {
    for (CursorPlace place : PLACES) {
      byte[] bytes = place.toContinuation().toBytes();
      for (int length = 0; length < bytes.length; length++) {
        assertRefused(Arrays.copyOf(bytes, length), "");
        assertRefused(Arrays.copyOfRange(bytes, bytes.length - length, bytes.length), "");
      }
      assertRefused(Arrays.copyOf(bytes, bytes.length + 1), "changed");
      byte[] withoutItsChecksum = bytes.clone();
      withoutItsChecksum[0] = 1;
      assertRefused(withoutItsChecksum, "");
    }
  }

  @Test
  void placesWithoutAChecksumAreRead() {
    byte[] bytes = PLACES.get(1).toContinuation().toBytes();
    byte[] old = Arrays.copyOf(bytes, bytes.length - 4);
    old[0] = 1;

    assertThat(CursorPlace.of(Continuation.of(old))).isEqualTo(PLACES.get(1));
  }

  private static void assertRefused(byte[] bytes, String why) {
    assertThatThrownBy(() -> CursorPlace.of(Continuation.of(bytes)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no continuation")
        .hasMessageContaining(why);
  }

  private static List<String> page() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("../docs/formats/continuations.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.add(row.group(1));
      }
    }
    return rows;
  }
}
