package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MessageTraceTest {
  private static final Logger LOG = Logger.getLogger("dev.tidemark.loader.messages");

  private final ManualTime time = ManualTime.selfAdvancing();
  private final QueueModel queue = new QueueModel(time, Duration.ofSeconds(60));
  private final MemoryWarehouse warehouse = new MemoryWarehouse();
  private final Lines lines = new Lines();

  private static final class Lines extends Handler {
    private final List<String> all = new CopyOnWriteArrayList<>();
    private final SimpleFormatter formatter = new SimpleFormatter();

    @Override
    public void publish(LogRecord record) {
      all.add(formatter.formatMessage(record));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    LOG.setLevel(Level.FINE);
    LOG.setUseParentHandlers(false);
    LOG.addHandler(lines);
  }

  @AfterEach
  void stopListening() {
    LOG.removeHandler(lines);
    LOG.setUseParentHandlers(true);
    LOG.setLevel(null);
  }

  @Test
  void messageCanBeFollowedByItsUuidFromItsArrivalToItsAck() {
    queue.publish("good", Instant.EPOCH, "key", "k", "value", "v");
    queue.publish("bad", Instant.EPOCH, "key", "k", "value", "bad");

    load();

    String good = uuidOf("good");
    String bad = uuidOf("bad");
    assertThat(good).isNotEqualTo(bad);
    String job = warehouse.merges().getFirst().job().toString();
    assertThat(linesOf(good))
        .containsExactly(
            good + " is message good of queue, delivery 1",
            good + " is in job " + job,
            good + " is STORED",
            good + " is ACKED");
    assertThat(linesOf(bad))
        .startsWith(bad + " is message bad of queue, delivery 1", bad + " is STORED")
        .contains(bad + " is ACKED");
  }

  @Test
  void messageThatIsGivenBackSaysSo() {
    queue.publish("good", Instant.EPOCH, "key", "k", "value", "v");
    warehouse.behave((batch, store) -> new MergeOutcome.Impossible("no permission"));

    load();

    assertThat(linesOf(uuidOf("good"))).last().asString().endsWith(" is NACKED");
  }

  private void load() {
    try (Loader loader =
        Loader.open(
            queue, warehouse, new KeyValueMapping(), letters -> {}, o -> o.withTime(time))) {
      assertThat(loader.drain().pulled()).isEqualTo(queue.deliveries());
    }
  }

  private String uuidOf(String message) {
    return lines.all.stream()
        .filter(line -> line.contains(" is message " + message + " of "))
        .findFirst()
        .orElseThrow()
        .split(" ", 2)[0];
  }

  private List<String> linesOf(String uuid) {
    return lines.all.stream().filter(line -> line.startsWith(uuid)).toList();
  }
}
