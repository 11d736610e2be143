package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolFullException;
import dev.tidemark.pulse.pool.PoolNode;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How messages to keys reach the worker of the key, on any store. */
public abstract class PoolMessageConformance extends CutPoolConformance {
  /** For subclasses. */
  protected PoolMessageConformance() {}

  private static List<String> numbered(String key, int count) {
    return IntStream.range(0, count).mapToObj(i -> key + "=" + i).toList();
  }

  private static void sendNumbered(PoolClient client, String key, int count) {
    for (int i = 0; i < count; i++) {
      client.send(key, bytes(Integer.toString(i)));
    }
  }

  @Test
  void messagesArriveInOrderAtTheWorkerThatJobsOfTheKeyGoTo() {
    RecordingHandler first = new RecordingHandler();
    RecordingHandler second = new RecordingHandler();
    node().addWorker(first);
    node().addWorker(second);
    PoolClient client = client();
    for (String key : keys("key", 6)) {
      client.dispatch(key, bytes("x"));
      sendNumbered(client, key, 5);
    }
    eventually(
        () -> first.messages() + " and " + second.messages(),
        () -> first.messages().size() + second.messages().size() == 30);
    for (String key : keys("key", 6)) {
      RecordingHandler owner = first.running().contains(key) ? first : second;
      assertThat(owner.messages().stream().filter(m -> m.startsWith(key + "=")))
          .containsExactlyElementsOf(numbered(key, 5));
    }
    assertNoMistakes(first, second);
    assertThat(client.jobKeys())
        .as("messages are no jobs")
        .containsExactlyElementsOf(keys("key", 6));
  }

  @Test
  void messagesWaitForTheFirstWorker() {
    PoolClient client = client();
    sendNumbered(client, "early", 3);
    assertThat(client.jobKeys()).isEmpty();

    RecordingHandler handler = new RecordingHandler();
    node().addWorker(handler);

    eventually("the messages", () -> handler.messages().equals(numbered("early", 3)));
  }

  @Test
  void payloadOfZerosMayBeAsLongAsAnyOther() {
    RecordingHandler handler = new RecordingHandler();
    node().addWorker(handler);
    PoolClient client = client();

    client.send("zeros", new byte[90_000]);
    client.cron("yearly", "0 0 1 1 *", ZoneOffset.UTC, "zeros", new byte[90_000]);

    eventually("the message", () -> handler.messages().size() == 1);
    assertThat(handler.messages().getFirst()).isEqualTo("zeros=" + "\0".repeat(90_000));
    assertThat(client.crons()).containsExactly("yearly");
  }

  @Test
  void messagesThatANodeLeavesBehindGoToAnother() {
    PoolNode leaving = node();
    SlowHandler slow = new SlowHandler();
    leaving.addWorker(slow);
    PoolClient client = client();
    sendNumbered(client, "key", 20);
    RecordingHandler handler = new RecordingHandler();
    eventually("the first message", () -> !slow.messages.isEmpty());
    node().addWorker(handler);

    leaving.close();

    eventually(
        () -> "the messages: " + slow.messages + " and " + handler.messages(),
        () -> slow.messages.size() + handler.messages().size() >= 20);
    List<String> all = new ArrayList<>(slow.messages);
    all.addAll(handler.messages());
    assertThat(all).as("in their order, none twice").isEqualTo(numbered("key", 20));
    assertThat(handler.messages()).isNotEmpty();
  }

  @Test
  void messagesOfANodeThatDiedGoToAnother() throws Exception {
    try (CutPulse dying = cuttable()) {
      SlowHandler slow = new SlowHandler();
      node(dying.pulse()).addWorker(slow);
      PoolClient client = client();
      sendNumbered(client, "key", 50);
      eventually("the first message", () -> !slow.messages.isEmpty());
      dying.cut().run();
      RecordingHandler handler = new RecordingHandler();
      node().addWorker(handler);

      eventually(
          () -> "the messages: " + handler.messages(), () -> handler.messages().contains("key=49"));
      List<String> all = new ArrayList<>(slow.messages);
      all.addAll(handler.messages());
      assertThat(all).as("at least once").containsAll(numbered("key", 50));
    }
  }

  /** A handler that takes its time for messages. */
  private static final class SlowHandler implements JobHandler {
    final List<String> messages = new CopyOnWriteArrayList<>();

    @Override
    public void start(Job job) {}

    @Override
    public void stop(String key) {}

    @Override
    public void message(String key, byte[] payload) {
      messages.add(key + "=" + text(payload));
      pause(Duration.ofMillis(100));
    }
  }

  @Test
  void handlerThatTakesNoMessagesHarmsNobody() {
    List<String> started = new ArrayList<>();
    node()
        .addWorker(
            new JobHandler() {
              @Override
              public void start(Job job) {
                started.add(job.key());
              }

              @Override
              public void stop(String key) {}
            });
    PoolClient client = client();
    client.send("key", bytes("x"));
    eventually("a report", () -> !errors().isEmpty());
    assertThat(errors().getFirst()).hasMessageContaining("key");

    client.dispatch("job", bytes("x"));
    assertThat(started).containsExactly("job");
  }

  @Test
  void workerForJobsThatEndDropsMessagesAndSaysSo() {
    PoolNode node = node();
    node.addRunner(job -> {});
    PoolClient client = client();
    client.send("key", bytes("x"));

    eventually("a report", () -> !errors().isEmpty());
    assertThat(errors().getFirst()).hasMessageContaining("takes no messages");
    client.dispatch("job", bytes("x"));
  }

  @Test
  void messagesForOneKeyHaveALimit() {
    PoolClient client = client();
    sendNumbered(client, "key", 1_000);

    assertThatThrownBy(() -> client.send("key", bytes("one more")))
        .isInstanceOf(PoolFullException.class)
        .hasMessageContaining("1,000");

    RecordingHandler handler = new RecordingHandler();
    node().addWorker(handler);
    eventually("all messages", () -> handler.messages().equals(numbered("key", 1_000)));
  }

  @Test
  void wrongKeysAndPayloadsOfMessagesAreRefused() {
    PoolClient client = client();

    assertThatIllegalArgumentException().isThrownBy(() -> client.send("", bytes("x")));
    assertThatIllegalArgumentException().isThrownBy(() -> client.send("\0key", bytes("x")));
    assertThatIllegalArgumentException().isThrownBy(() -> client.dispatch("\0key", bytes("x")));
    assertThatIllegalArgumentException().isThrownBy(() -> client.send("key", new byte[90_001]));
  }
}
