package dev.tidemark.testkit.internal.program;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ScanMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/*
 * Each seed switches some kinds of calls off (swarm testing): programs without clears, say, reach
 * states that clears keep destroying. Keys are few, so that programs meet; some share prefixes and
 * hold the bytes 00 and ff. Writes with versionstamps come last in their program, because what they
 * touch cannot be read before the commit.
 */

/** Random programs, the same for the same seed. */
public final class ProgramGenerator {
  private static final Key LOG = Key.utf8("log/");
  private static final byte[] LETTERS = {'a', 'b', 'c', 'd', 0, (byte) 0xff};
  private static final MutationType[] MUTATIONS =
      Stream.of(MutationType.values())
          .filter(type -> !type.isVersionstamped())
          .toArray(MutationType[]::new);

  private final SplittableRandom random;
  private final List<Supplier<Step>> steps;
  private final List<Supplier<Step>> stampedSteps;
  private final int stepsMost;
  private final Writes writes;

  /** Whether programs may write quietly, after which reads of others need not be serializable. */
  public enum Writes {
    ALOUD,
    SOME_QUIET
  }

  private ProgramGenerator(SplittableRandom random, int stepsMost, Writes writes) {
    this.writes = writes;
    this.random = random;
    this.stepsMost = stepsMost;
    List<Supplier<Step>> kinds = new ArrayList<>();
    List<Supplier<Step>> all =
        List.of(
            () -> new ReadStep.Get(key(), oneIn(4)),
            () -> new ReadStep.GetAll(keys(), oneIn(4)),
            () -> new ReadStep.Locate(selector(), oneIn(4)),
            this::rows,
            this::rows,
            () -> new WriteStep.Clear(key()),
            () -> new WriteStep.ClearRange(range()),
            this::mutate,
            this::mutate);
    all.stream().filter(kind -> !oneIn(3)).forEach(kinds::add);
    kinds.add(() -> new WriteStep.Set(key(), value()));
    kinds.add(() -> new ReadStep.Get(key(), false));
    this.steps = List.copyOf(kinds);
    List<Supplier<Step>> stamped =
        List.of(
            () -> new WriteStep.StampedKey(LOG, random.nextInt(3), value()),
            () -> new WriteStep.StampedValue(key()));
    this.stampedSteps = stamped.stream().filter(kind -> !oneIn(3)).toList();
  }

  /** Programs of at most {@code stepsMost} calls. */
  public static ProgramGenerator of(long seed, int stepsMost, Writes writes) {
    return new ProgramGenerator(new SplittableRandom(seed), stepsMost, writes);
  }

  public List<Program> next(int programs) {
    return Stream.generate(this::next).limit(programs).toList();
  }

  public Program next() {
    List<Step> calls = new ArrayList<>();
    int count = random.nextInt(1, stepsMost + 1);
    for (int i = 0; i < count; i++) {
      calls.add(oneOf(steps).get());
    }
    if (oneIn(4)) {
      calls.removeIf(WriteStep.class::isInstance);
    } else if (!stampedSteps.isEmpty() && oneIn(4)) {
      IntStream.range(0, random.nextInt(1, 3)).forEach(i -> calls.add(oneOf(stampedSteps).get()));
    }
    if (writes == Writes.SOME_QUIET) {
      calls.replaceAll(this::quietAtTimes);
    }
    return new Program(List.copyOf(calls), !oneIn(8));
  }

  private Step quietAtTimes(Step step) {
    return step instanceof WriteStep write && oneIn(4) ? new WriteStep.Quiet(write) : step;
  }

  private Step rows() {
    ScanMode mode = oneOf(List.of(ScanMode.values()));
    int limit = mode == ScanMode.EXACT || oneIn(2) ? random.nextInt(1, 12) : 0;
    KeySelector begin = oneIn(3) ? selector() : KeySelector.firstGreaterOrEqual(key());
    KeySelector end = oneIn(3) ? selector() : KeySelector.firstGreaterOrEqual(bound());
    return new ReadStep.Rows(begin, end, limit, oneIn(2), mode, oneIn(4));
  }

  private Step mutate() {
    return new WriteStep.Mutate(oneOf(List.of(MUTATIONS)), key(), smallValue());
  }

  private KeySelector selector() {
    return new KeySelector(bound(), oneIn(2), random.nextInt(-4, 6));
  }

  private KeyRange range() {
    Key one = bound();
    Key other = bound();
    return one.compareTo(other) <= 0 ? KeyRange.of(one, other) : KeyRange.of(other, one);
  }

  private List<Key> keys() {
    return Stream.generate(this::key).limit(random.nextInt(0, 6)).toList();
  }

  /** A key, or one of the ends. */
  private Key bound() {
    return oneIn(12) ? Key.END : oneIn(12) ? Key.EMPTY : oneIn(12) ? LOG : key();
  }

  private Key key() {
    byte[] bytes = new byte[random.nextInt(1, 4)];
    bytes[0] = 'k';
    for (int i = 1; i < bytes.length; i++) {
      bytes[i] = LETTERS[random.nextInt(LETTERS.length)];
    }
    return Key.of(bytes);
  }

  private Operand value() {
    return oneIn(3) ? bytes(random.nextInt(200, 900)) : smallValue();
  }

  /** Few bytes with few values, so that comparisons of mutations come out either way. */
  private Operand smallValue() {
    byte[] bytes = new byte[random.nextInt(0, 4)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (oneIn(3) ? 0 : random.nextInt(256));
    }
    return Operand.of(bytes);
  }

  private Operand bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return Operand.of(bytes);
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
