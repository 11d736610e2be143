package dev.tidemark.pulse.internal.kv.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.DeadLetter;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.internal.kv.rows.Claim;
import dev.tidemark.pulse.internal.kv.rows.EventIds;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The vectors of docs/formats/pulse-streams.md are what the code writes. */
class KvStreamFormatTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final Subspace STREAM = Subspace.of("pulse", "s", "s");

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private static String page() throws IOException {
    return Files.readString(
        Path.of(System.getProperty("tidemark.root"), "docs", "formats", "pulse-streams.md"));
  }

  @Test
  void theRowsOfThePageAreWhatIsStored(Database database) throws IOException {
    List<EventId> ids;
    try (Pulse pulse = Pulse.on(database, Subspace.of("pulse"))) {
      EventStream stream = pulse.stream("s", o -> o.keepingAll());
      ids =
          List.of(
              stream.add("n", "t", "p1".getBytes(UTF_8)),
              stream.add("n", "t", "p2".getBytes(UTF_8)));
      try (Sink sink = stream.sink("k", o -> o.withStart(Start.oldest()))) {
        List<Event> events = sink.read();
        sink.ack(events.getLast());
      }
    }
    List<KeyValue> rows = database.read(tx -> tx.scan(STREAM.prefixRange()).list());
    String table = String.join("\n", rows.stream().map(row -> line(row, rows, ids)).toList());
    assertThat(page()).contains("| Key | Value |\n|---|---|\n" + table + "\n");
  }

  private static String line(KeyValue row, List<KeyValue> rows, List<EventId> ids) {
    byte[] claim =
        rows.stream()
            .filter(each -> STREAM.sub(5, "k", 2).contains(each.key()))
            .findFirst()
            .orElseThrow()
            .value();
    String line = "| `" + row.key().toHex() + "` | `" + HEX.formatHex(row.value()) + "` |";
    return line.replace(HEX.formatHex(claim), "<claim>")
        .replace(HEX.formatHex(EventIds.pack(ids.get(1))), "<id>")
        .replace(HEX.formatHex(Tuple.of(Claim.decode(claim).until()).pack()), "<u>")
        .replace(stamp(ids.get(0)), "<1>")
        .replace(stamp(ids.get(1)), "<2>");
  }

  private static String stamp(EventId id) {
    byte[] bytes = EventIds.stamp(id).toByteArray();
    return HEX.formatHex(Arrays.copyOf(bytes, Versionstamp.COMMIT_BYTES));
  }

  @Test
  void theClaimOfThePageIsTheOneThatIsWritten() throws IOException {
    Claim claim =
        new Claim(
            new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L),
            2,
            1_000_000,
            List.of(new EventId(300, 0), new EventId(300, 1), new EventId(1_000, 65_536)));

    assertThat(page()).contains("`" + HEX.formatHex(claim.encode()) + "`");
    assertThat(Claim.decode(claim.encode())).isEqualTo(claim);
  }

  @Test
  void theDeadLetterOfThePageIsTheOneThatIsWritten() throws IOException {
    byte[] letter =
        new DeadLetter("s", new EventId(300, 1), 3, "n", "t", "p1".getBytes(UTF_8)).encode();

    assertThat(page()).contains("`" + HEX.formatHex(letter) + "`");
  }
}
