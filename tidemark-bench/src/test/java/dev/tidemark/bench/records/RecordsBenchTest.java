package dev.tidemark.bench.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.bench.internal.wire.UserMessage;
import dev.tidemark.bench.measure.Plan;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.records.codec.RecordReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RecordsBenchTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void aTinyRunMeasuresEverythingAndEndsWithItsLine() throws Exception {
    Path json = directory.resolve("records.json");
    new RecordsBench(Plan.TINY, new Report(out)).run(json);
    assertThat(text().lines().reduce("", (first, last) -> last))
        .matches(
            ("bench records: save_batch=N save64=N load=N unique=N covering=N range=N"
                    + " load_over_raw=N save_over_raw=N codec_jackson=N codec_protobuf=N"
                    + " build_per_s=\\d+ writer_slowdown=-?N")
                .replace("N", "\\d+\\.\\d+"));
    assertThat(json)
        .content()
        .startsWith("{\"bench\":\"records\"")
        .contains("\"sqlite\"", "\"h2\"");
  }

  @Test
  void aTinyProfileShowsLoadsAndSaves() throws Exception {
    new RecordsProfile(Plan.TINY, new Report(out)).run();
    assertThat(text()).contains("loads a second").contains("saves a second");
  }

  @Test
  void bothCodecsWriteTheSameMessage() throws Exception {
    User user = new Users(10).initial(7, 1).getFirst();
    byte[] ours = Codecs.encode(user);
    assertThat(UserMessage.parseFrom(ours)).isEqualTo(Codecs.message(user));
    assertThat(User_.TYPE.codec().read(new RecordReader(Codecs.message(user).toByteArray())))
        .isEqualTo(user);
    assertThat(List.of(Codecs.tidemark(user), Codecs.protobuf(user), new Codecs().jackson(user)))
        .containsOnly(Codecs.sum(user));
  }

  @Test
  void everySaveOfH2IsForcedToDisk() throws Exception {
    Users users = new Users(10);
    Path file = directory.resolve("h2.jfr");
    try (Recording recording = new Recording();
        UserTable table = SqlTable.h2(directory)) {
      recording.enable("jdk.FileForce").withoutThreshold();
      recording.start();
      for (int i = 0; i < users.size(); i++) {
        table.save(users.initial(i, 1));
      }
      recording.stop();
      recording.dump(file);
    }
    assertThat(RecordingFile.readAllEvents(file)).hasSizeGreaterThanOrEqualTo(users.size());
  }

  private String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
