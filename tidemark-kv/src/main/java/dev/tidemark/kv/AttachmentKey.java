package dev.tidemark.kv;

import java.util.function.Supplier;

/**
 * Names a piece of state that a layer keeps with a transaction; see {@link Transaction#attachment}.
 *
 * <p>A key is compared by identity. A layer holds it in a constant, so that nobody else can reach
 * what is attached.
 *
 * @param <T> what is attached
 */
public final class AttachmentKey<T> {
  private final String name;
  private final Supplier<? extends T> initial;

  private AttachmentKey(String name, Supplier<? extends T> initial) {
    this.name = name;
    this.initial = initial;
  }

  /**
   * A new key.
   *
   * @param name shown when a transaction is looked at in a debugger
   * @param initial makes the state of a transaction when it is asked for the first time; if several
   *     threads ask at once, each may make one, of which all use the same
   */
  public static <T> AttachmentKey<T> of(String name, Supplier<? extends T> initial) {
    return new AttachmentKey<>(name, initial);
  }

  /** Makes the state of a transaction that has none yet. */
  public T initial() {
    return initial.get();
  }

  @Override
  public String toString() {
    return name;
  }
}
