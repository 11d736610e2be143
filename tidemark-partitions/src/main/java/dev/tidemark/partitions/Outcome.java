package dev.tidemark.partitions;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an actor makes of a request: an answer, and if it changed its state, the log entry from
 * which {@link Actor#replay} makes the same change again.
 *
 * @param <R> the answers
 */
public final class Outcome<R> {
  private final @Nullable R answer;
  private final @Nullable String refusal;
  private final byte @Nullable [] entry;
  private final @Nullable Effects effects;

  private Outcome(
      @Nullable R answer,
      @Nullable String refusal,
      byte @Nullable [] entry,
      @Nullable Effects effects) {
    this.answer = answer;
    this.refusal = refusal;
    this.entry = entry;
    this.effects = effects;
  }

  /** An answer to a request that changed nothing. */
  public static <R> Outcome<R> answer(R answer) {
    return new Outcome<>(Objects.requireNonNull(answer, "The answer is null"), null, null, null);
  }

  /** A refusal, which reaches the caller as an exception. The actor must have changed nothing. */
  public static <R> Outcome<R> refuse(String why) {
    return new Outcome<>(null, Objects.requireNonNull(why, "The reason is null"), null, null);
  }

  /** The same, of a request that changed the state as {@code entry} says. */
  public Outcome<R> log(byte[] entry) {
    if (refusal != null) {
      throw new IllegalStateException("A refusal has no log entry: it changes nothing");
    }
    return new Outcome<>(
        answer, null, Objects.requireNonNull(entry, "The log entry is null"), effects);
  }

  /** The same, with effects in the transaction that appends the log entry. */
  public Outcome<R> effects(Effects effects) {
    if (refusal != null) {
      throw new IllegalStateException("A refusal has no effects: it changes nothing");
    }
    return new Outcome<>(
        answer, null, entry, Objects.requireNonNull(effects, "The effects are null"));
  }

  /** The answer; empty for a refusal. */
  public Optional<R> answer() {
    return Optional.ofNullable(answer);
  }

  /** Why the actor refuses the request, if it does. */
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** What {@link Actor#replay} gets, if the state has changed. */
  public Optional<byte[]> entry() {
    return Optional.ofNullable(entry);
  }

  /** What else belongs to the request, if anything does. */
  public Optional<Effects> effects() {
    return Optional.ofNullable(effects);
  }

  /** Whether something has to become durable before the answer may be given. */
  public boolean changesSomething() {
    return entry != null || effects != null;
  }
}
