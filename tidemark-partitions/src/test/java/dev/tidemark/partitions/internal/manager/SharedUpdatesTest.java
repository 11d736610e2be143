package dev.tidemark.partitions.internal.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.partitions.internal.wire.RouteEntry;
import dev.tidemark.partitions.internal.wire.RoutingUpdate;
import io.grpc.Drainable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedUpdatesTest {
  private final SharedUpdates updates = new SharedUpdates();

  private static RoutingUpdate update(long version) {
    return RoutingUpdate.newBuilder()
        .setVersion(version)
        .addEntries(RouteEntry.newBuilder().setPartitionId("p" + version))
        .build();
  }

  @Test
  void watchersOfAMessageGetTheSameBytes() throws IOException {
    RoutingUpdate whole = update(7);
    assertThat(sent(whole)).isSameAs(sent(whole));
    assertThat(sent(update(7))).isEqualTo(sent(whole)).isNotSameAs(sent(whole));
  }

  @Test
  void messagesOfOtherVersionsAreNotMixedUp() throws IOException {
    List<RoutingUpdate> all = new ArrayList<>();
    for (int version = 1; version <= 20; version++) {
      all.add(update(version));
      for (RoutingUpdate each : all) {
        assertThat(updates.parse(updates.stream(each))).isEqualTo(each);
        assertThat(RoutingUpdate.parseFrom(sent(each))).isEqualTo(each);
      }
    }
  }

  /** The array that a watcher's message is written from. */
  private byte[] sent(RoutingUpdate update) throws IOException {
    byte[][] array = new byte[1][];
    try (InputStream stream = updates.stream(update)) {
      int bytes =
          ((Drainable) stream)
              .drainTo(
                  new OutputStream() {
                    @Override
                    public void write(int single) {
                      throw new AssertionError("Bytes come one by one");
                    }

                    @Override
                    public void write(byte[] from, int offset, int length) {
                      assertThat(offset).isZero();
                      array[0] = from;
                    }
                  });
      assertThat(bytes).isEqualTo(update.getSerializedSize());
      assertThat(stream.read()).isEqualTo(-1);
    }
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    try (InputStream again = updates.stream(update)) {
      again.transferTo(copy);
    }
    assertThat(copy.toByteArray()).isEqualTo(array[0]);
    return array[0];
  }
}
