package dev.tidemark.pulse.internal.kv.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.internal.kv.rows.Expiries;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.MapWrite;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The vector of docs/formats/pulse-maps.md is what the code writes. */
class KvMapFormatTest {
  private static final HexFormat HEX = HexFormat.of();

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Test
  void theVectorOfThePageIsWhatIsStored(Database db) throws IOException {
    KvMapStore store =
        new KvMapStore(
            "flags",
            db,
            Subspace.of("pulse", "m", "flags"),
            MapOptions.DEFAULTS,
            () -> Instant.EPOCH,
            new Expiries(db, Subspace.of("pulse"), () -> Instant.EPOCH));
    List<MapStore.Position> positions = new ArrayList<>();
    for (MapWrite write :
        List.of(
            new MapWrite.Set("a", new byte[] {'1'}),
            new MapWrite.Append("l", List.of(new byte[] {'x'}), false),
            new MapWrite.Delete("a"))) {
      positions.add(store.apply(write).position().orElseThrow());
    }
    assertThat(rows(db, positions)).isEqualTo(page()).hasSize(6);
  }

  private static List<String> rows(Database db, List<MapStore.Position> positions) {
    List<KeyValue> rows = db.read(tx -> tx.scan(Subspace.of("pulse").prefixRange()).list());
    return rows.stream()
        .map(row -> "| `" + row.key().toHex() + "` | `" + HEX.formatHex(row.value()) + "` |")
        .map(line -> withNames(line, positions))
        .toList();
  }

  private static String withNames(String line, List<MapStore.Position> positions) {
    byte[] incarnation = Tuple.of(positions.getFirst().incarnation()).pack();
    String named = line.replace(HEX.formatHex(incarnation), "<i>");
    for (int i = 0; i < positions.size(); i++) {
      String stamp = positions.get(i).revision().toHex().substring(0, 20);
      named = named.replace(stamp, "<" + (i + 1) + ">");
    }
    return named;
  }

  private static List<String> page() throws IOException {
    Path file = Path.of(System.getProperty("tidemark.root"), "docs/formats/pulse-maps.md");
    return Files.readAllLines(file).stream().filter(line -> line.startsWith("| `02")).toList();
  }
}
