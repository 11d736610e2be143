package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.UsageException;
import dev.tidemark.pulse.ConflictingEventException;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.ReaderOptions;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.StreamOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store has to do for streams: adding, keeping and removing events. */
public abstract class StreamConformance extends PulseConformance {
  private static final Duration SOON = Duration.ofMillis(100);

  /** For subclasses. */
  protected StreamConformance() {}

  private EventStream orders() {
    return pulse().stream("orders");
  }

  private static Reader fromOldest(EventStream stream) {
    return stream.reader(o -> o.withStart(Start.oldest()).withBlock(SOON));
  }

  private static List<String> contents(EventStream stream) {
    try (Reader reader = fromOldest(stream)) {
      return EventCollector.drain(reader).payloads();
    }
  }

  @Test
  void unusedStreamCanBeDestroyed() {
    orders().destroy();

    assertThat(orders().length()).isZero();
    assertThat(orders().addIfExists("e", "", bytes("x"))).isEmpty();
  }

  @Test
  void addedEventIsInTheStreamAsGiven() {
    EventId id = orders().add("order.placed", bytes("42"));

    assertThat(orders().length()).isOne();
    try (Reader reader = fromOldest(orders())) {
      Event event = next(reader).getFirst();
      assertThat(event.id()).isEqualTo(id);
      assertThat(event.stream()).isEqualTo("orders");
      assertThat(event.name()).isEqualTo("order.placed");
      assertThat(event.topic()).isEmpty();
      assertThat(event.payload()).isEqualTo(bytes("42"));
      assertThat(event.deliveries()).isOne();
    }
  }

  @Test
  void topicNameAndPayloadAreKept() {
    byte[] payload = new byte[256];
    IntStream.range(0, payload.length).forEach(i -> payload[i] = (byte) i);
    orders().add("größe", "straße/日本", payload);

    try (Reader reader = fromOldest(orders())) {
      Event event = next(reader).getFirst();
      assertThat(event.name()).isEqualTo("größe");
      assertThat(event.topic()).isEqualTo("straße/日本");
      assertThat(event.payload()).isEqualTo(payload);
    }
  }

  @Test
  void emptyPayloadAndEmptyNameAreAllowed() {
    orders().add("", new byte[0]);

    assertThat(contents(orders())).containsExactly("");
  }

  @Test
  void nameOrTopicWithHalfASurrogatePairIsRefused() {
    EventStream orders = orders();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> orders.add("a\ud800b", new byte[0]))
        .withMessageContaining("half a surrogate pair at index 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> orders.add("a", "\ude00", new byte[0]))
        .withMessageStartingWith("The topic has half a surrogate pair");
    orders.add("\ud83d\ude00", new byte[0]);
    assertThat(orders.length()).isEqualTo(1);
  }

  @Test
  void payloadIsCopied() {
    byte[] payload = bytes("before");
    orders().add("e", payload);
    payload[0] = 'X';

    assertThat(contents(orders())).containsExactly("before");
  }

  @Test
  void removedEventIsGone() {
    EventId first = orders().add("e", bytes("1"));
    orders().add("e", bytes("2"));

    assertThat(orders().remove(List.of(first, new EventId(1, 1)))).isOne();
    assertThat(orders().length()).isOne();
    assertThat(contents(orders())).containsExactly("2");
    assertThat(orders().remove(List.of(first))).isZero();
  }

  @Test
  void idsGrowWithEveryEvent() {
    List<EventId> ids =
        IntStream.range(0, 50).mapToObj(i -> orders().add("e", bytes("" + i))).toList();

    assertThat(ids).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void idCanBeWrittenDownAndReadAgain() {
    EventId id = orders().add("e", bytes("1"));

    assertThat(EventId.parse(id.toString())).isEqualTo(id);
  }

  @Test
  void absoluteTimeToLiveIsNotExtended() {
    Duration life = Duration.ofSeconds(4);
    EventStream stream = pulse().stream("short", o -> o.withTimeToLive(life));
    stream.add("e", bytes("1"));
    assertThat(stream.length()).isOne();
    pause(life.dividedBy(2));
    long second = TIME.nanos();
    stream.add("e", bytes("2"));

    eventually("the stream expires", () -> stream.length() == 0);
    assertThat(Duration.ofNanos(TIME.nanos() - second)).isLessThan(life);
    assertThat(stream.addIfExists("e", "", bytes("3"))).isEmpty();
    assertThat(contents(stream)).isEmpty();
  }

  @Test
  void slidingTimeToLiveStartsAnewWithEveryEvent() {
    Duration life = Duration.ofSeconds(3);
    EventStream stream = pulse().stream("sliding", o -> o.withSlidingTimeToLive(life));
    for (int i = 0; i < 5; i++) {
      stream.add("e", bytes("" + i));
      pause(Duration.ofMillis(800));
    }
    assertThat(stream.length()).isEqualTo(5);

    eventually("the stream expires", () -> stream.length() == 0);
    stream.add("e", bytes("again"));
    assertThat(contents(stream)).containsExactly("again");
  }

  @Test
  void handleReportsItsOptions() {
    assertThat(pulse().stream("s", o -> o.withLengthMax(10)).options().lengthMax()).hasValue(10);
  }

  @Test
  void defaultsAreThoseOfTheDocumentation() {
    assertThat(orders().options()).isSameAs(StreamOptions.DEFAULTS);
    assertThat(StreamOptions.DEFAULTS.lengthMax()).isEmpty();
    assertThat(StreamOptions.DEFAULTS.keepsAll()).isFalse();
    ReaderOptions reader = ReaderOptions.DEFAULTS;
    assertThat(reader.block()).isEqualTo(Duration.ofSeconds(5));
    assertThat(reader.batchMax()).isEqualTo(1_000);
    assertThat(reader.buffer()).isEqualTo(1_000);
    assertThat(reader.start()).isEqualTo(Start.newest());
  }

  @Test
  void addIfExistsAddsNothingToAMissingStream() {
    assertThat(orders().addIfExists("e", "", bytes("1"))).isEmpty();
    assertThat(orders().length()).isZero();
    orders().add("e", bytes("2"));
    assertThat(orders().addIfExists("e", "", bytes("3"))).isPresent();
    assertThat(contents(orders())).containsExactly("2", "3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a*", "what?", "[x]", "nul\0"})
  void nameThatIsNotAllowedIsRefused(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> pulse().stream(name));
  }

  @Test
  void nameOfFiveHundredAndTwelveCharactersIsTheLongest() {
    pulse().stream("x".repeat(512)).add("e", bytes("1"));

    assertThat(pulse().stream("x".repeat(512)).length()).isOne();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pulse().stream("x".repeat(513)))
        .withMessageContaining("513");
  }

  @Test
  void streamWithTheLongestNameHasSinksButNoDeadLettersNamedAfterIt() {
    EventStream stream = pulse().stream("x".repeat(512));
    stream.add("e", bytes("1"));
    try (Sink sink = stream.sink("s", o -> o.withStart(Start.oldest()))) {
      eventually("the event comes", () -> !sink.read().isEmpty());
    }

    assertThatIllegalArgumentException()
        .isThrownBy(() -> stream.sink("t", o -> o.withDeliveriesMax(2)))
        .withMessageContaining("dead-letter stream")
        .withMessageContaining("517");
    try (Sink sink = stream.sink("t", o -> o.withDeadLetters(2, "graveyard"))) {
      assertThat(sink.isClosed()).isFalse();
    }
  }

  @Test
  void nameAndTopicOfAnEventHave2048BytesAtMost() {
    String longest = "ä".repeat(1_024);
    EventId id = orders().add(longest, longest, bytes("1"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> orders().add(longest + "x", "", bytes("2")))
        .withMessageContaining("name of the event")
        .withMessageContaining("2,049")
        .withMessageContaining("2,048");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> orders().add("e", longest + "x", bytes("2")))
        .withMessageContaining("topic")
        .withMessageContaining("2,049");

    try (Reader reader = orders().reader(o -> o.withStart(Start.oldest()).withBlock(SOON))) {
      Event event = next(reader).getFirst();
      assertThat(event.id()).isEqualTo(id);
      assertThat(event.name()).isEqualTo(longest);
      assertThat(event.topic()).isEqualTo(longest);
    }
    assertThat(orders().length()).isOne();
  }

  @Test
  void payloadBeyondTheMaximumIsRefusedWithBothNumbers() {
    EventStream stream = pulse().stream("s", o -> o.withPayloadBytesMax(10));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> stream.add("e", new byte[11]))
        .withMessageContaining("11")
        .withMessageContaining("10");
    stream.add("e", new byte[10]);
    orders().add("e", new byte[StreamOptions.PAYLOAD_BYTES_LIMIT]);
    assertThat(orders().length()).isOne();
  }

  @Test
  void optionsThatContradictAreRefused() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> StreamOptions.DEFAULTS.withLengthMax(0))
        .withMessageContaining("keepingAll()");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> ReaderOptions.DEFAULTS.withTopic("a").withTopicPattern("b"))
        .withMessageContaining("'a'")
        .withMessageContaining("'b'");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> ReaderOptions.DEFAULTS.withBlock(Duration.ZERO));
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> StreamOptions.DEFAULTS.withLengthMax(-1));
  }

  @Test
  void streamOfAClosedPulseIsRefused() {
    EventStream stream = orders();
    pulse().close();

    assertThatIllegalStateException().isThrownBy(() -> stream.add("e", bytes("1")));
    assertThatIllegalStateException().isThrownBy(() -> pulse().stream("other"));
    pulse().close();
  }

  @Test
  void addOnceWithTheSameKeyAddsOneEvent() {
    EventId first = orders().addOnce("k", "e", "t", bytes("1"));

    assertThat(orders().addOnce("k", "e", "t", bytes("1"))).isEqualTo(first);
    assertThat(another().stream("orders").addOnce("k", "e", "t", bytes("1"))).isEqualTo(first);
    assertThat(orders().addOnce("other", "e", "t", bytes("1"))).isGreaterThan(first);
    assertThat(orders().length()).isEqualTo(2);
  }

  @Test
  void addOnceWithOtherContentIsAConflict() {
    orders().addOnce("k", "e", "t", bytes("1"));

    assertThatThrownBy(() -> orders().addOnce("k", "e", "t", bytes("2")))
        .isInstanceOf(ConflictingEventException.class)
        .hasMessageContaining("'k'");
    assertThatThrownBy(() -> orders().addOnce("k", "e", "u", bytes("1")))
        .isInstanceOf(ConflictingEventException.class);
    assertThat(orders().length()).isOne();
  }

  @Test
  void keyOfAddOnceIsForgottenAfterItsTime() {
    EventStream stream = pulse().stream("s", o -> o.withOnceFor(Duration.ofMillis(200)));
    EventId first = stream.addOnce("k", "e", "", bytes("1"));

    eventually(
        "the key is forgotten", () -> !stream.addOnce("k", "e", "", bytes("1")).equals(first));
  }

  @Test
  void keyOfAddOnceHasOneTo256Bytes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> orders().addOnce("", "e", "", bytes("1")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> orders().addOnce("ä".repeat(129), "e", "", bytes("1")))
        .withMessageContaining("258");
    orders().addOnce("ä".repeat(128), "e", "", bytes("1"));
  }

  @Test
  void destroyedStreamBeginsAnew() {
    EventId before = orders().add("e", bytes("old"));
    orders().addOnce("k", "e", "", bytes("old"));
    orders().destroy();

    assertThat(orders().length()).isZero();
    EventId after = orders().addOnce("k", "e", "", bytes("new"));
    assertThat(after).isGreaterThan(before);
    assertThat(contents(orders())).containsExactly("new");
  }

  @Test
  void lengthStaysNearTheMaximum() {
    EventStream stream = pulse().stream("bounded", o -> o.withLengthMax(20));
    for (int i = 0; i < 500; i++) {
      stream.add("e", bytes("" + i));
    }
    int most = pulse().capabilities().exactLength() ? 20 : 250;
    assertThat(stream.length()).isBetween(20L, (long) most);
    assertThat(contents(stream)).hasSizeBetween(20, most).endsWith("498", "499");
  }

  private static void assertMissing(String noun, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessageContaining(noun + " is null");
  }

  @Test
  void whatIsNullIsNamed() {
    byte[] some = bytes("x");
    assertMissing("name of the stream", () -> pulse().stream(nothing()));
    assertMissing("name of the event", () -> orders().add(nothing(), some));
    assertMissing("topic", () -> orders().add("e", nothing(), some));
    assertMissing("payload", () -> orders().add("e", nothing()));
    assertMissing("payload", () -> orders().addIfExists("e", "", nothing()));
    assertMissing("key of addOnce", () -> orders().addOnce(nothing(), "e", "", some));
    assertMissing("payload", () -> orders().addOnce("k", "e", "", nothing()));
    assertMissing("name of the sink", () -> orders().sink(nothing()));
    assertThat(orders().length()).isZero();
    try (Sink sink = orders().sink("s");
        Reader reader = orders().reader(o -> o.withName("r"))) {
      Consumer<Event> noHandler = nothing();
      assertMissing("handler", () -> sink.subscribe(noHandler));
      assertMissing("event to acknowledge", () -> sink.ack(nothing()));
      assertMissing("stream", () -> sink.addStream(nothing()));
      assertMissing("handler", () -> reader.subscribe(nothing()));
      assertMissing("event to acknowledge", () -> reader.ack(nothing()));
      assertMissing("stream", () -> reader.addStream(nothing()));
    }
  }

  /** What a caller without null checks may pass. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  private void assertKeeps(EventStream stream, long length) {
    long most = pulse().capabilities().exactLength() ? length : length + 230;
    assertThat(stream.length()).isBetween(length, most);
  }

  private static void add(EventStream stream, int count) {
    IntStream.range(0, count).forEach(i -> stream.add("e", bytes("" + i)));
  }

  @Test
  void streamForWhichNobodySaysALengthKeepsAThousandEvents() {
    try (Sink sink = orders().sink("s", o -> o)) {
      add(orders(), 1_300);
      assertKeeps(orders(), 1_000);
      assertThat(sink.isClosed()).isFalse();
    }
  }

  @Test
  void handleThatSaysNoLengthFollowsTheStream() {
    EventStream all = pulse().stream("orders", o -> o.keepingAll());
    add(all, 1_500);
    EventStream other = another().stream("orders");
    other.add("e", bytes("no longer than it was"));
    other.addOnce("key", "e", "", bytes("no longer than it was"));
    assertThat(all.length()).isEqualTo(1_502);

    pulse().stream("orders", o -> o.withLengthMax(20)).add("e", bytes("shorter for all"));
    other.add("e", bytes("as short as it is"));
    assertKeeps(other, 20);
    assertThat(contents(other)).endsWith("shorter for all", "as short as it is");
  }

  @Test
  void lengthMaxOfZeroKeepsEverything() {
    EventStream stream = pulse().stream("all", o -> o.keepingAll());
    for (int i = 0; i < 1_100; i++) {
      stream.add("e", bytes("" + i));
    }
    assertThat(stream.length()).isEqualTo(1_100);
  }

  @Test
  void eventKnowsWhenItWasAdded() {
    Instant before = TIME.instant().minusSeconds(60);
    orders().add("e", bytes("1"));

    try (Reader reader = fromOldest(orders())) {
      Event event = next(reader).getFirst();
      assertThat(event.createdAt()).isBetween(before, before.plusSeconds(120));
      assertThat(event.createdAt()).isEqualTo(event.createdAt().truncatedTo(ChronoUnit.MILLIS));
    }
  }

  @Test
  void streamsWithDifferentNamesAreApart() {
    pulse().stream("a").add("e", bytes("1"));
    pulse().stream("ab").add("e", bytes("2"));
    pulse().stream("a").destroy();

    assertThat(pulse().stream("a").length()).isZero();
    assertThat(contents(pulse().stream("ab"))).containsExactly("2");
  }
}
