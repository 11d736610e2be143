package dev.tidemark.kv.tuple;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.internal.TupleCode;
import org.jspecify.annotations.Nullable;

/**
 * A part of the key space: all keys that begin with a prefix, usually followed by a packed tuple.
 *
 * <p>Keys are always packed flat. {@code users.pack("name", 42)}, {@code
 * users.pack(Tuple.of("name", 42))} and {@code users.sub("name").pack(42)} are the same key: a
 * tuple given to a subspace stands for its elements, whatever the static type of the argument, so
 * that an index entry with a primary key at its end is found by a scan over the entry's prefix.
 * Where a tuple is really meant as one element, the nesting is written out: {@code
 * users.pack(Tuple.of( "name", Tuple.of(42)))}.
 */
public final class Subspace {
  /** The subspace of all keys: its prefix is empty. */
  public static final Subspace ALL = new Subspace(Key.EMPTY);

  private final Key prefix;

  private Subspace(Key prefix) {
    this.prefix = prefix;
  }

  /** The subspace whose prefix is the packed tuple of {@code elements}. */
  public static Subspace of(@Nullable Object... elements) {
    return ALL.sub(elements);
  }

  /** The subspace of all keys that begin with {@code prefix}, as it is. */
  public static Subspace fromPrefix(Key prefix) {
    return prefix.size() == 0 ? ALL : new Subspace(prefix);
  }

  /** The subspace of the keys that begin with this prefix and {@code elements}. */
  public Subspace sub(@Nullable Object... elements) {
    return fromPrefix(pack(elements));
  }

  /**
   * The key of this prefix and {@code elements}. Each argument is one element, except that a tuple
   * gives its elements.
   *
   * @throws IllegalArgumentException if an element is of a type that tuples do not take, a list, or
   *     an incomplete versionstamp
   */
  public Key pack(@Nullable Object... elements) {
    if (elements.length == 0) {
      return prefix;
    }
    TupleEncoder encoder = new TupleEncoder(prefix);
    encoder.flat(elements);
    if (encoder.incompleteAt() != TupleCode.NO_STAMP) {
      throw new IllegalArgumentException(
          "The key has an incomplete versionstamp; use packWithVersionstamp");
    }
    return Key.wrap(encoder.toByteArray());
  }

  /**
   * The key of this prefix and the elements of {@code tuple}.
   *
   * @throws IllegalArgumentException if the tuple has an incomplete versionstamp
   */
  public Key pack(Tuple tuple) {
    return tuple.toKey(prefix);
  }

  /**
   * A key for {@link MutationType#SET_VERSIONSTAMPED_KEY}: this prefix, the elements of {@code
   * tuple}, and four bytes that say where the commit puts its versionstamp.
   *
   * @throws IllegalArgumentException if the tuple has no incomplete versionstamp, or several
   */
  public Key packWithVersionstamp(Tuple tuple) {
    return Key.wrap(tuple.packWithVersionstamp(prefix));
  }

  /**
   * The tuple that follows the prefix in {@code key}.
   *
   * @throws IllegalArgumentException if the key is not in this subspace
   * @throws MalformedTupleException if what follows the prefix is not a tuple
   */
  public Tuple unpack(Key key) {
    if (!contains(key)) {
      throw new IllegalArgumentException(
          "The key %s is not in the subspace %s".formatted(key, prefix));
    }
    return Tuple.read(key.unsafeBytes(), prefix.size(), key.size());
  }

  /** Whether {@code key} begins with the prefix. */
  public boolean contains(Key key) {
    return key.startsWith(prefix);
  }

  /** The prefix. */
  public Key prefix() {
    return prefix;
  }

  /**
   * The keys of all tuples in this subspace, from the prefix and {@code 00} to the prefix and
   * {@code ff}. The bare prefix is not among them; {@link #prefixRange} has it too.
   */
  public KeyRange range() {
    return new KeyRange(prefix.append((byte) 0), prefix.append((byte) 0xff));
  }

  /**
   * The keys of all tuples in this subspace that begin with {@code tuple} and have more elements.
   */
  public KeyRange range(Tuple tuple) {
    Key key = pack(tuple);
    return new KeyRange(key.append((byte) 0), key.append((byte) 0xff));
  }

  /**
   * Every key that begins with the prefix, the bare prefix and keys that are no tuples included.
   */
  public KeyRange prefixRange() {
    return KeyRange.startingWith(prefix);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Subspace that && prefix.equals(that.prefix);
  }

  @Override
  public int hashCode() {
    return prefix.hashCode();
  }

  @Override
  public String toString() {
    return "Subspace[" + prefix + "]";
  }
}
