package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.remote.internal.wire.Get;
import dev.tidemark.remote.internal.wire.OpenReader;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.ScanRows;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.junit.SeedSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Reads that arrive in one frame: some from memory, some from files, some behind a long line. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ReadsOfOneFrameTest {
  private static final int ROWS = 20_000;
  private static final int READS = 1_000;
  private static final long READER = 7;
  private static final int CLIENTS = 16;

  @TempDir Path directory;

  private static Key key(int number) {
    return Key.utf8("row%06d".formatted(number));
  }

  private static byte[] value(int number) {
    byte[] value = new byte[100];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  /** A store whose rows are in files, with hardly any memory for them. */
  private EmbeddedDatabase openCold() {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory)) {
      for (int from = 0; from < ROWS; from += 1_000) {
        int begin = from;
        database.run(
            tx -> {
              for (int i = begin; i < begin + 1_000; i++) {
                tx.set(key(i), value(i));
              }
            });
      }
    }
    return EmbeddedDatabase.open(
        directory,
        o -> o.withRowCacheBytes(0).withCacheBytes(1 << 20).withWriteBufferBytes(1 << 20));
  }

  private static Request get(long id, int row) {
    return get(id, "row%06d".formatted(row));
  }

  private static Request get(long id, String key) {
    return Request.newBuilder()
        .setId(id)
        .setGet(Get.newBuilder().setReader(READER).setKey(ByteString.copyFromUtf8(key)))
        .build();
  }

  private static Request openReader() {
    return Request.newBuilder().setOpenReader(OpenReader.newBuilder().setReader(READER)).build();
  }

  @ParameterizedTest
  @SeedSource(count = 3)
  void everyReadOfALongFrameIsAnsweredInItsOrder(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    try (EmbeddedDatabase served = openCold();
        DatabaseServer server = DatabaseServer.open(served);
        RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      Request[] frame = new Request[READS + 1];
      int[] rows = new int[READS + 1];
      frame[0] = openReader();
      for (int i = 1; i <= READS; i++) {
        rows[i] = random.nextInt(ROWS + 10);
        frame[i] = get(1 + i, rows[i]);
      }
      client.send(frame);
      for (int i = 1; i <= READS; i++) {
        Reply reply = client.reply();
        assertThat(reply.getId()).as("seed %d", seed).isEqualTo(1 + i);
        if (rows[i] < ROWS) {
          assertThat(reply.getValue().getValue().toByteArray()).isEqualTo(value(rows[i]));
        } else {
          assertThat(reply.getValue().hasValue()).isFalse();
        }
        assertThat(reply.getValue().getVersion() != 0).as("version is told once").isEqualTo(i == 1);
      }
    }
  }

  @Test
  void readsBehindAScanOfTheirFrameAreAnswered() throws Exception {
    try (EmbeddedDatabase served = openCold();
        DatabaseServer server = DatabaseServer.open(served);
        RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      ScanRows scan =
          ScanRows.newBuilder()
              .setReader(READER)
              .setBegin(ByteString.copyFrom(key(5).toByteArray()))
              .setEnd(ByteString.copyFrom(key(8).toByteArray()))
              .setRows(10)
              .setBytes(1_000)
              .build();
      client.send(
          openReader(),
          get(2, 1),
          Request.newBuilder().setId(3).setScanRows(scan).build(),
          get(4, 2),
          Request.newBuilder().setId(5).setScanRows(scan.toBuilder().setReader(99)).build(),
          get(6, 3));
      List<Long> ids = new ArrayList<>();
      List<Boolean> failed = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        Reply reply = client.reply();
        ids.add(reply.getId());
        failed.add(reply.hasFailure());
      }
      assertThat(ids).containsExactly(2L, 3L, 4L, 5L, 6L);
      assertThat(failed).containsExactly(false, false, false, true, false);
    }
  }

  @Test
  @SuppressWarnings("try") // the server is closed earlier
  void closingServerAnswersAllReadsOfAFrameThatItHasGot() throws Exception {
    try (EmbeddedDatabase served = openCold();
        DatabaseServer server = DatabaseServer.open(served);
        RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      Request[] frame = new Request[READS + 1];
      frame[0] = openReader();
      for (int i = 1; i <= READS; i++) {
        frame[i] = get(1 + i, (int) (i * 7919L % ROWS));
      }
      client.send(frame).sendNoMore();
      client.reply();
      server.close();
      // Besides them, that the server leaves; whether reads are refused by then does not matter.
      int answered = 1;
      while (answered < READS) {
        answered += client.reply().getId() == 0 ? 0 : 1;
      }
    }
  }

  @Test
  void valuesDoNotWaitForSlowReadsOfTheirFrame() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    ManualTime time = ManualTime.standing();
    try (EmbeddedDatabase beneath = EmbeddedDatabase.inMemory();
        DatabaseServer server =
            DatabaseServer.open(
                new SlowReads(
                    beneath,
                    time,
                    key -> {
                      time.advance(Duration.ofMillis(5));
                      return key.equals(Key.utf8("stuck")) ? opened(gate) : new byte[10];
                    }),
                o -> o.withSlowClientTimeout(Duration.ofHours(1)));
        RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(openReader(), get(2, "a"), get(3, "b"), get(4, "stuck"), get(5, "c"));
      try {
        assertThat(client.reply().getId()).isEqualTo(2);
        assertThat(client.reply().getId()).isEqualTo(3);
      } finally {
        gate.countDown();
      }
      assertThat(client.reply().getId()).isEqualTo(4);
      assertThat(client.reply().getId()).isEqualTo(5);
    }
  }

  /** Its time never passes, so that what was read stays in line while the next read is stuck. */
  @Test
  void clientIsNotCutOffForReadsThatTakeLong() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (EmbeddedDatabase beneath = EmbeddedDatabase.inMemory();
        DatabaseServer server =
            DatabaseServer.open(
                new SlowReads(
                    beneath,
                    ManualTime.standing(),
                    key -> key.equals(Key.utf8("stuck")) ? opened(gate) : new byte[10]),
                o -> o.withSlowClientTimeout(Duration.ofSeconds(1)));
        RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(openReader(), get(2, "a"), get(3, "stuck"));
      try {
        for (int i = 0; i < 2; i++) {
          try (RawClient silent = RawClient.reading(server)) {
            assertThat(silent.end().getDescription()).contains("has not greeted");
          }
        }
      } finally {
        gate.countDown();
      }
      assertThat(client.reply().getId()).isEqualTo(2);
      assertThat(client.reply().getId()).isEqualTo(3);
      assertThat(server.statistics().clientsCutOff()).isEqualTo(2);
    }
  }

  /** Others are many enough to share every thread that receives with one that waits. */
  @Test
  void clientsThatReadFromFilesDoNotStopOthers() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch stuck = new CountDownLatch(CLIENTS);
    try (EmbeddedDatabase beneath = EmbeddedDatabase.inMemory();
        DatabaseServer server =
            DatabaseServer.open(
                new SlowReads(
                    beneath,
                    TimeSource.system(),
                    key -> {
                      stuck.countDown();
                      return opened(gate);
                    }))) {
      List<RawClient> slow = new ArrayList<>();
      try {
        for (int i = 0; i < CLIENTS; i++) {
          RawClient client = RawClient.reading(server).greet();
          slow.add(client);
          client.reply();
          client.send(openReader(), get(2, "disk"), get(3, "hand"));
        }
        assertThat(stuck.await(20, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < CLIENTS; i++) {
          try (RawClient other = RawClient.reading(server).greet()) {
            other.reply();
            other.send(openReader(), get(2, "hand"));
            assertThat(other.reply().hasValue()).isTrue();
          }
        }
        gate.countDown();
        for (RawClient client : slow) {
          assertThat(client.reply().getId()).isEqualTo(2);
          assertThat(client.reply().getId()).isEqualTo(3);
        }
      } finally {
        gate.countDown();
        slow.forEach(RawClient::close);
      }
    }
  }

  private static byte[] opened(CountDownLatch gate) {
    try {
      assertThat(gate.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException interrupt) {
      throw new AssertionError("Nobody interrupts it", interrupt);
    }
    return new byte[10];
  }
}
