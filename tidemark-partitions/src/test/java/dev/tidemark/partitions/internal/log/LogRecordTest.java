package dev.tidemark.partitions.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.log.LogRecord.Answered;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The bytes of a log record, as docs/formats/partitions.md has them. */
class LogRecordTest {
  private static final byte[] ENTRY = "ab".getBytes(StandardCharsets.UTF_8);

  @Test
  void recordHasTheBytesOfTheDocument() {
    assertThat(HexFormat.of().formatHex(new LogRecord(1, Optional.empty(), ENTRY).encode()))
        .isEqualTo("018b228da30100000000000000016162");
  }

  @Test
  void recordComesBackFromItsBytes() {
    Answered answered = new Answered(new RequestId(Key.utf8("me"), 7, 5), ENTRY);
    LogRecord record = new LogRecord(9, Optional.of(answered), null);
    LogRecord read = LogRecord.decode("p1", 1, record.encode());
    assertThat(read.micros()).isEqualTo(9);
    assertThat(read.entry()).isNull();
    assertThat(read.answered().orElseThrow().id()).isEqualTo(answered.id());
    assertThat(read.answered().orElseThrow().answer()).isEqualTo(ENTRY);
  }

  @Test
  void everyChangedByteIsNoticed() {
    byte[] bytes = new LogRecord(1, Optional.empty(), ENTRY).encode();
    for (int i = 0; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      assertThatThrownBy(() -> LogRecord.decode("p1", 1, changed))
          .as("byte %d", i)
          .hasMessageContaining("Entry 1 of the log of p1");
    }
    assertThatThrownBy(() -> LogRecord.decode("p1", 1, new byte[3]))
        .hasMessageContaining("has only 3 bytes");
  }
}
