package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.ReplicatedMap.Removal;
import dev.tidemark.pulse.ReplicatedMap.Swap;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What the operations of a map do and answer, on any store. */
public abstract class MapConformance extends MapSuite {
  /** For subclasses. */
  protected MapConformance() {}

  /**
   * Makes the store forget what it can look up again, such as scripts. Nothing by default; a store
   * that has such things overrides it.
   */
  protected void forgetWhatCanBeLearnedAgain() {}

  @Test
  void setReturnsWhatWasThereAndBecomesVisible() {
    ReplicatedMap<String, String> map = map();

    assertThat(map.set("colour", "red")).isEmpty();
    eventuallyHas(map, Map.of("colour", "red"));
    assertThat(map.set("colour", "blue")).contains("red");
    eventuallyHas(map, Map.of("colour", "blue"));

    assertThat(map.delete("colour")).contains("blue");
    eventuallyHas(map, Map.of());
  }

  @Test
  void keysAndSizeFollowTheMap() {
    ReplicatedMap<String, String> map = map();
    map.set("a", "1");
    map.set("b", "2");
    map.set("c", "3");
    map.delete("b");
    eventuallyHas(map, Map.of("a", "1", "c", "3"));

    assertThat(map.size()).isEqualTo(2);
    assertThat(map.keys()).containsExactlyInAnyOrder("a", "c");
    assertThat(map.contains("a")).isTrue();
    assertThat(map.contains("b")).isFalse();

    map.reset();
    eventuallyHas(map, Map.of());
    assertThat(map.keys()).isEmpty();
  }

  @Test
  void anotherProcessSeesWritesAndJoinsWithAllOfThem() {
    ReplicatedMap<String, String> map = map();
    ReplicatedMap<String, String> early = elsewhere();
    map.set("a", "1");
    ReplicatedMap<String, String> late = elsewhere();

    assertThat(late.get("a")).contains("1");
    eventuallyHas(early, Map.of("a", "1"));

    late.set("b", "2");
    eventuallyHas(map, Map.of("a", "1", "b", "2"));
    eventuallyHas(early, Map.of("a", "1", "b", "2"));
  }

  @Test
  void setAndWaitIsVisibleAtOnce() {
    ReplicatedMap<String, String> map = map();

    for (int i = 0; i < 50; i++) {
      Optional<String> before = map.setAndWait("count", Integer.toString(i), WAIT);

      assertThat(map.get("count")).contains(Integer.toString(i));
      assertThat(before).isEqualTo(i == 0 ? Optional.empty() : Optional.of("" + (i - 1)));
    }
  }

  @Test
  void setAndWaitTakesTheLongestTimeoutThatThereIs() {
    ReplicatedMap<String, String> map = map();

    map.setAndWait("k", "v", Duration.ofSeconds(Long.MAX_VALUE));

    assertThat(map.get("k")).contains("v");
  }

  @Test
  void textWithHalfASurrogatePairIsNoKeyAndNoValue() {
    ReplicatedMap<String, String> map = map();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.set("a\ud800b", "x"))
        .withMessageContaining("half a surrogate pair at index 1");
    assertThatIllegalArgumentException().isThrownBy(() -> map.set("k", "\ude00\ud83d"));
    map.setAndWait("\ud83d\ude00", "\ud83d\ude00", WAIT);
    assertThat(map.snapshot()).isEqualTo(Map.of("\ud83d\ude00", "\ud83d\ude00"));
  }

  @Test
  void setAndWaitEndsThoughALaterWriteHasReplacedTheValue() throws Exception {
    ReplicatedMap<String, String> map = map();
    ReplicatedMap<String, String> other = elsewhere();
    Thread rival =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!Thread.currentThread().isInterrupted()) {
                    other.set("key", "rival");
                  }
                });
    try {
      for (int i = 0; i < 20; i++) {
        map.setAndWait("key", "mine", WAIT);
        assertThat(map.get("key")).isPresent();
      }
    } catch (InterruptedOperationException unexpected) {
      throw new AssertionError("Nobody interrupts the test", unexpected);
    } finally {
      rival.interrupt();
      rival.join();
    }
  }

  @Test
  void setAndWaitEndsThoughTheMapWasDestroyedMeanwhile() {
    ReplicatedMap<String, String> map = map();
    ReplicatedMap<String, String> other = elsewhere();
    for (int i = 0; i < 10; i++) {
      map.setAndWait("key", "value", WAIT);
      other.destroy();
    }
    eventuallyHas(map, Map.of());
  }

  @Test
  void interruptEndsSetAndWait() {
    ReplicatedMap<String, String> map = map();

    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> map.setAndWait("key", "value", WAIT))
          .isInstanceOf(InterruptedOperationException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void closedMapCanBeReadResetAndDestroyedButNotWritten() {
    ReplicatedMap<String, String> map = map();
    map.setAndWait("key", "value", WAIT);
    ReplicatedMap<String, String> other = elsewhere();
    map.close();
    map.close();

    assertThat(map.isClosed()).isTrue();
    assertThat(map.get("key")).contains("value");
    assertThat(map.snapshot()).isEqualTo(Map.of("key", "value"));
    assertThatIllegalStateException()
        .isThrownBy(() -> map.set("key", "other"))
        .withMessageContaining("closed");
    assertThatIllegalStateException().isThrownBy(() -> map.delete("key"));
    assertThatIllegalStateException().isThrownBy(() -> map.increment("number", 1));
    assertThatIllegalStateException().isThrownBy(() -> map.onChange(kind -> {}));

    map.reset();
    eventuallyHas(other, Map.of());
    map.destroy();
    assertThat(map.get("key")).as("the copy is frozen").contains("value");
  }

  @Test
  void closeOfThePulseClosesItsMaps() {
    Pulse pulse = another();
    ReplicatedMap<String, String> map = pulse.map("flags");

    pulse.close();

    assertThat(map.isClosed()).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> pulse.map("flags"));
  }

  @Test
  void emptyTextIsAValue() {
    ReplicatedMap<String, String> map = map();

    assertThat(map.setAndWait("key", "", WAIT)).as("absent").isEmpty();
    assertThat(map.get("key")).contains("");
    assertThat(map.contains("key")).isTrue();
    assertThat(map.set("key", "x")).as("present and empty").contains("");
  }

  @Test
  void deleteOfAnAbsentKeyFindsNothing() {
    ReplicatedMap<String, String> map = map();

    assertThat(map.delete("nothing")).isEmpty();
  }

  @Test
  void setIfAbsentSetsOnce() {
    ReplicatedMap<String, String> map = map();

    assertThat(map.setIfAbsent("key", "first")).isTrue();
    assertThat(map.setIfAbsent("key", "second")).isFalse();
    eventuallyHas(map, Map.of("key", "first"));
  }

  @Test
  void testAndSetSwapsOnlyAnEqualValue() {
    ReplicatedMap<String, String> map = map();

    assertThat(map.testAndSet("key", "a", "b")).isEqualTo(new Swap<>(Optional.empty(), false));
    assertThat(map.testAndSet("key", "", "b")).isEqualTo(new Swap<>(Optional.empty(), false));
    map.set("key", "a");
    assertThat(map.testAndSet("key", "", "b")).isEqualTo(new Swap<>(Optional.of("a"), false));
    assertThat(map.testAndSet("key", "x", "b")).isEqualTo(new Swap<>(Optional.of("a"), false));
    assertThat(map.testAndSet("key", "a", "b")).isEqualTo(new Swap<>(Optional.of("a"), true));
    assertThat(map.testAndSet("key", "b", "b")).isEqualTo(new Swap<>(Optional.of("b"), true));
    eventuallyHas(map, Map.of("key", "b"));
  }

  @Test
  void testAndDeleteDeletesOnlyAnEqualValue() {
    ReplicatedMap<String, String> map = map();

    assertThat(map.testAndDelete("key", "a")).isEqualTo(new Swap<>(Optional.empty(), false));
    map.set("key", "a");
    assertThat(map.testAndDelete("key", "b")).isEqualTo(new Swap<>(Optional.of("a"), false));
    eventuallyHas(map, Map.of("key", "a"));
    assertThat(map.testAndDelete("key", "a")).isEqualTo(new Swap<>(Optional.of("a"), true));
    eventuallyHas(map, Map.of());
  }

  @Test
  void appendUniqueKeepsOrderAndAddsOnlyNewValues() {
    ReplicatedMap<String, String> map = map();

    assertThat(map.appendUnique("list", List.of("b", "a", "b"))).containsExactly("b", "a");
    assertThat(map.appendUnique("list", List.of("a", "c"))).containsExactly("b", "a", "c");
    assertThat(map.appendUnique("list", List.of("c", "b"))).containsExactly("b", "a", "c");
    eventually("the list is here", () -> map.list("list").equals(List.of("b", "a", "c")));
  }

  @Test
  void appendKeepsDuplicatesAndIsStoredAsAJsonArray() {
    ReplicatedMap<String, String> map = map();

    assertThat(map.append("list", List.of())).isEmpty();
    assertThat(map.append("list", List.of("a", "b"))).containsExactly("a", "b");
    assertThat(map.append("list", List.of("a"))).containsExactly("a", "b", "a");
    assertThat(map.append("list", List.of())).containsExactly("a", "b", "a");
    eventuallyHas(map, Map.of("list", "[\"a\",\"b\",\"a\"]"));
    assertThat(map.list("list")).containsExactly("a", "b", "a");
    assertThat(map.list("nothing")).isEmpty();
  }

  @Test
  void removalOfTheLastValueDeletesTheKey() {
    ReplicatedMap<String, String> map = map();

    assertThat(map.removeValues("list", List.of("a"))).isEqualTo(new Removal<>(List.of(), false));
    map.append("list", List.of("a", "b", "a"));
    assertThat(map.removeValues("list", List.of("x")))
        .isEqualTo(new Removal<>(List.of("a", "b", "a"), false));
    assertThat(map.removeValues("list", List.of("a"))).isEqualTo(new Removal<>(List.of("b"), true));
    eventually("the list is here", () -> map.list("list").equals(List.of("b")));
    assertThat(map.removeValues("list", List.of("b", "c")))
        .isEqualTo(new Removal<>(List.of(), true));
    eventuallyHas(map, Map.of());
  }

  @Test
  void valuesOfAListMayHoldAnything() {
    ReplicatedMap<String, String> map = map();
    List<String> odd =
        List.of("a,b", "\"quoted\"", "\\", "", "[", "tab\tline\n", "日本 🌊", "\u0001");

    assertThat(map.append("list", odd)).isEqualTo(odd);
    eventually("the list is here", () -> map.list("list").equals(odd));
    assertThat(map.removeValues("list", List.of("a,b", "\\")).remaining())
        .containsExactly("\"quoted\"", "", "[", "tab\tline\n", "日本 🌊", "\u0001");
  }

  @Test
  void textBetweenCommasCountsAsAList() {
    ReplicatedMap<String, String> map = map();
    map.setAndWait("list", "a,b", WAIT);

    assertThat(map.list("list")).containsExactly("a", "b");
    assertThat(map.append("list", List.of("c"))).containsExactly("a", "b", "c");
    eventuallyHas(map, Map.of("list", "[\"a\",\"b\",\"c\"]"));
  }

  @Test
  void appendToAJsonObjectKeepsItWhole() {
    ReplicatedMap<String, String> map = map();
    map.set("object", "{\"a\":1}");

    assertThat(map.append("object", List.of("x"))).containsExactly("{\"a\":1}", "x");
  }

  @Test
  void incrementCounts() {
    ReplicatedMap<String, String> map = map();

    assertThat(map.increment("count", 1)).isEqualTo(1);
    assertThat(map.increment("count", 41)).isEqualTo(42);
    assertThat(map.increment("count", -1)).isEqualTo(41);
    assertThat(map.increment("count", -41)).isZero();
    assertThat(map.increment("count", -7)).isEqualTo(-7);
    eventuallyHas(map, Map.of("count", "-7"));
  }

  @Test
  void incrementOfWhatIsNoNumberChangesNothing() {
    ReplicatedMap<String, String> map = map();
    map.set("text", "seven");
    map.set("most", Long.toString(Long.MAX_VALUE));

    assertThatThrownBy(() -> map.increment("text", 1))
        .isInstanceOf(PulseException.class)
        .hasMessageContaining("'text'")
        .hasMessageContaining("flags");
    assertThatThrownBy(() -> map.increment("most", 1)).isInstanceOf(PulseException.class);
    eventuallyHas(map, Map.of("text", "seven", "most", Long.toString(Long.MAX_VALUE)));
  }

  @Test
  void testAndResetClearsOnlyIfEverythingMatches() {
    ReplicatedMap<String, String> map = map();
    map.set("a", "1");
    map.set("b", "2");

    assertThat(map.testAndReset(Map.of("a", "1", "b", "x"))).isFalse();
    assertThat(map.testAndReset(Map.of("a", "1", "nothing", "x"))).isFalse();
    eventuallyHas(map, Map.of("a", "1", "b", "2"));
    assertThat(map.testAndReset(Map.of("a", "1", "b", "2"))).isTrue();
    eventuallyHas(map, Map.of());
    map.set("a", "1");
    assertThat(map.testAndReset(Map.of())).isTrue();
    eventuallyHas(map, Map.of());
  }

  @Test
  void wrongKeysAreRefusedByEveryWrite() {
    ReplicatedMap<String, String> map = map();
    for (String wrong : List.of("", "a=b", "k".repeat(1_025))) {
      assertThatIllegalArgumentException().isThrownBy(() -> map.set(wrong, "v"));
      assertThatIllegalArgumentException().isThrownBy(() -> map.setAndWait(wrong, "v", WAIT));
      assertThatIllegalArgumentException().isThrownBy(() -> map.setIfAbsent(wrong, "v"));
      assertThatIllegalArgumentException().isThrownBy(() -> map.testAndSet(wrong, "v", "w"));
      assertThatIllegalArgumentException().isThrownBy(() -> map.increment(wrong, 1));
      assertThatIllegalArgumentException().isThrownBy(() -> map.append(wrong, List.of("v")));
      assertThatIllegalArgumentException().isThrownBy(() -> map.appendUnique(wrong, List.of("v")));
      assertThatIllegalArgumentException().isThrownBy(() -> map.removeValues(wrong, List.of("v")));
      assertThatIllegalArgumentException().isThrownBy(() -> map.delete(wrong));
      assertThatIllegalArgumentException().isThrownBy(() -> map.testAndDelete(wrong, "v"));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> map.testAndReset(Map.of(wrong, "v")))
          .withMessageContaining("flags");
    }
    assertThat(map.size()).isZero();
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void nullIsRefusedWithItsName() {
    ReplicatedMap<String, String> map = map();

    assertNull("key", () -> map.get(null));
    assertNull("key", () -> map.list(null));
    assertNull("key", () -> map.contains(null));
    assertNull("key", () -> map.set(null, "v"));
    assertNull("value", () -> map.set("k", null));
    assertNull("timeout", () -> map.setAndWait("k", "v", null));
    assertNull("value", () -> map.setIfAbsent("k", null));
    assertNull("value", () -> map.testAndSet("k", null, "v"));
    assertNull("value", () -> map.testAndSet("k", "v", null));
    assertNull("key", () -> map.increment(null, 1));
    assertNull("values", () -> map.append("k", null), "are");
    assertNull("value", () -> map.appendUnique("k", Arrays.asList("v", null)));
    assertNull("values", () -> map.removeValues("k", null), "are");
    assertNull("key", () -> map.delete(null));
    assertNull("value", () -> map.testAndDelete("k", null));
    assertNull("expected entries", () -> map.testAndReset(null), "are");
    assertNull("handler", () -> map.onChange(null));
    assertNull("handler", () -> map.onEntry(null));
    assertNull("codec of the keys", () -> pulse().map("m", null, Codec.TEXT, o -> o));
    assertNull("codec of the values", () -> pulse().map("m", Codec.TEXT, null, o -> o));
    assertNull("function that decodes", () -> Codec.of(byte[]::clone, null));
    assertThat(map.size()).isZero();
  }

  private static void assertNull(String name, ThrowingCallable call) {
    assertNull(name, call, "is");
  }

  private static void assertNull(String name, ThrowingCallable call, String verb) {
    assertThatNullPointerException()
        .isThrownBy(call)
        .withMessageMatching("The " + name + "( of the map '.*')? " + verb + " null.*");
  }

  @Test
  void defaultsAreThoseOfTheDocumentation() {
    assertThat(MapOptions.DEFAULTS.timeToLive()).isEmpty();
    assertThat(MapOptions.DEFAULTS.sliding()).isFalse();
  }

  @Test
  void valuesHaveALimit() {
    ReplicatedMap<String, String> map = map();

    map.setAndWait("large", "v".repeat(90_000), WAIT);
    assertThat(map.get("large").orElseThrow()).hasSize(90_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.set("large", "v".repeat(90_001)))
        .withMessageContaining("90,001")
        .withMessageContaining("90,000");
    map.append("list", List.of("v".repeat(50_000)));
    assertThatThrownBy(() -> map.append("list", List.of("v".repeat(50_000))))
        .isInstanceOf(PulseException.class)
        .hasMessageContaining("'list'");
    eventually("the list is unchanged", () -> map.list("list").size() == 1);
  }

  @Test
  void wrongNamesAndOptionsAreRefusedWhenJoining() {
    assertThatIllegalArgumentException().isThrownBy(() -> pulse().map(""));
    assertThatIllegalArgumentException().isThrownBy(() -> pulse().map("a b"));
    assertThatIllegalArgumentException().isThrownBy(() -> pulse().map("a*"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pulse().map("flags", Codec.BYTES, Codec.TEXT, options -> options))
        .withMessageContaining("BYTES");
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> MapOptions.DEFAULTS.withTimeToLive(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map().setAndWait("key", "value", Duration.ZERO));
  }

  @Test
  void destroyedMapCanBeUsedAgain() {
    ReplicatedMap<String, String> map = map();
    ReplicatedMap<String, String> other = elsewhere();
    map.set("old", "1");
    eventuallyHas(other, Map.of("old", "1"));

    map.destroy();
    map.set("new", "2");

    eventuallyHas(map, Map.of("new", "2"));
    eventuallyHas(other, Map.of("new", "2"));
    map.destroy();
    map.destroy();
    eventuallyHas(other, Map.of());
  }

  @Test
  void writesSucceedAfterTheStoreHasForgottenWhatItCanLearnAgain() {
    ReplicatedMap<String, String> map = map();
    map.set("a", "1");

    forgetWhatCanBeLearnedAgain();

    map.set("b", "2");
    assertThat(map.increment("count", 3)).isEqualTo(3);
    eventuallyHas(map, Map.of("a", "1", "b", "2", "count", "3"));
  }

  @Test
  void incrementsFromFourProcessesAddUp() throws Exception {
    List<ReplicatedMap<String, String>> processes =
        List.of(map(), elsewhere(), elsewhere(), elsewhere());
    List<Thread> threads =
        processes.stream()
            .map(
                map ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              for (int i = 0; i < 25; i++) {
                                map.increment("count", 1);
                              }
                            }))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    processes.forEach(map -> eventuallyHas(map, Map.of("count", "100")));
  }

  @Test
  void manyWritersOfManyKeysLeaveAllCopiesEqual() throws Exception {
    List<ReplicatedMap<String, String>> processes = List.of(map(), elsewhere(), elsewhere());
    Map<String, String> expected = new HashMap<>();
    for (int process = 0; process < 3; process++) {
      for (int i = 0; i < 100; i++) {
        expected.put("key-" + process + "-" + i % 10, "value-" + i);
      }
    }
    List<Thread> threads =
        List.of(0, 1, 2).stream()
            .map(
                process ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              for (int i = 0; i < 100; i++) {
                                processes
                                    .get(process)
                                    .set("key-" + process + "-" + i % 10, "value-" + i);
                              }
                            }))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    processes.forEach(map -> eventuallyHas(map, expected));
  }

  @Test
  void codecsTurnKeysAndValuesIntoBytesAndBack() {
    ReplicatedMap<Long, Long> map =
        pulse().map("numbers", Codec.NUMBER, Codec.NUMBER, options -> options);

    assertThat(map.increment(7L, 5)).isEqualTo(5);
    assertThat(map.setAndWait(8L, 6L, WAIT)).isEmpty();
    assertThat(map.get(8L)).contains(6L);
    assertThat(map.append(9L, List.of(1L, 2L))).containsExactly(1L, 2L);
    eventually("the list is here", () -> map.list(9L).equals(List.of(1L, 2L)));
  }

  @Test
  void bytesThatAreNoTextSurvive() {
    ReplicatedMap<String, byte[]> map =
        pulse().map("bytes", Codec.TEXT, Codec.BYTES, options -> options);
    byte[] odd = {0, (byte) 0xff, (byte) 0xc3, '"', '\\', 31, 127, (byte) 0x80};

    map.setAndWait("value", odd, WAIT);
    assertThat(map.get("value").orElseThrow()).isEqualTo(odd);
    assertThat(map.append("list", List.of(odd, new byte[0])).getFirst()).isEqualTo(odd);
    eventually("the list is here", () -> map.list("list").size() == 2);
    assertThat(map.list("list").getFirst()).isEqualTo(odd);
    assertThat(map.removeValues("list", List.of(odd)).removedAny()).isTrue();
  }
}
