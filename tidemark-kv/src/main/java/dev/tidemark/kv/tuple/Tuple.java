package dev.tidemark.kv.tuple;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.internal.KeyPrinter;
import dev.tidemark.kv.internal.MalformedBytesException;
import dev.tidemark.kv.internal.TupleCode;
import dev.tidemark.kv.internal.TupleDecoder;
import dev.tidemark.kv.internal.TupleScan;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sequence of values with a packed form, in FoundationDB's encoding, whose byte order
 * is the order of the values.
 *
 * <p>An element is null, a byte string, a string, an integer of up to 255 bytes, a float, a double,
 * a boolean, a {@link UUID}, a {@link Versionstamp} or another tuple. Elements of different types
 * are ordered by type, in just this order except that tuples come after strings. {@code -0.0} is
 * before {@code 0.0}, and NaNs are told apart by their bits.
 *
 * <p>A tuple keeps only the packed bytes and reads values out of them when asked. Two tuples are
 * equal if their bytes are: {@code Tuple.of(1)} equals {@code Tuple.of(1L)}, but not {@code
 * Tuple.of(1.0)}.
 */
public final class Tuple implements Comparable<Tuple> {
  /** The tuple without elements. It packs to no bytes at all. */
  public static final Tuple EMPTY = new Tuple(new byte[0], new int[] {0}, 0, 0, TupleCode.NO_STAMP);

  private final byte[] bytes;
  private final int[] starts;
  private final int size;
  private final int depth;
  private final int incompleteAt;
  private int hash;

  /**
   * A view of packed elements.
   *
   * @param starts where elements begin in {@code bytes}, and after the last one where it ends
   * @param incompleteAt where the incomplete versionstamp is, or a special value of {@link
   *     TupleCode}
   */
  Tuple(byte[] bytes, int[] starts, int size, int depth, int incompleteAt) {
    this.bytes = bytes;
    this.starts = starts;
    this.size = size;
    this.depth = depth;
    this.incompleteAt = incompleteAt;
  }

  /**
   * The tuple with these elements. A {@code Tuple} or a {@code List} among them becomes one
   * element, nested; {@link #concat} joins two tuples instead.
   *
   * @throws IllegalArgumentException if an element is of a type that tuples do not take
   */
  public static Tuple of(@Nullable Object... elements) {
    if (elements.length == 0) {
      return EMPTY;
    }
    int[] starts = new int[elements.length + 1];
    TupleEncoder encoder = new TupleEncoder();
    for (int i = 0; i < elements.length; i++) {
      encoder.element(elements[i]);
      starts[i + 1] = encoder.size();
    }
    return encoded(encoder, starts);
  }

  /** The tuple with the elements of {@code list}: {@link #of} for a list. */
  public static Tuple copyOf(List<?> list) {
    return of(list.toArray());
  }

  /**
   * The tuple that was packed into {@code packed}.
   *
   * @throws MalformedTupleException if these bytes are not a tuple
   */
  public static Tuple unpack(byte[] packed) {
    return read(packed.clone(), 0, packed.length);
  }

  /**
   * The tuple that was packed into {@code key}.
   *
   * @throws MalformedTupleException if the bytes of the key are not a tuple
   */
  public static Tuple unpack(Key key) {
    return read(key.unsafeBytes(), 0, key.size());
  }

  /**
   * The tuple packed in these bytes, which it keeps.
   *
   * @throws MalformedTupleException if they are not a tuple
   */
  static Tuple read(byte[] bytes, int begin, int end) {
    try {
      return scanned(bytes, TupleScan.of(bytes, begin, end));
    } catch (MalformedBytesException malformed) {
      throw new MalformedTupleException(malformed.offset(), malformed.problem());
    }
  }

  private static Tuple scanned(byte[] bytes, TupleScan scan) {
    return new Tuple(bytes, scan.starts(), scan.size(), scan.depth(), scan.incompleteAt());
  }

  private static Tuple encoded(TupleEncoder encoder, int[] starts) {
    return new Tuple(
        encoder.toByteArray(), starts, starts.length - 1, encoder.depth(), encoder.incompleteAt());
  }

  /**
   * This tuple with {@code element} after its elements.
   *
   * @throws IllegalArgumentException if {@code element} is of a type that tuples do not take, or a
   *     tuple or a list: {@link #concat} adds the elements of one, {@link #nest} adds it as one
   */
  public Tuple append(@Nullable Object element) {
    if (element instanceof Tuple || element instanceof List<?>) {
      throw new IllegalArgumentException(
          "append does not take a tuple or a list: concat adds its elements, nest adds it as one");
    }
    return with(element);
  }

  /** This tuple with {@code tuple} as one more element, nested. */
  public Tuple nest(Tuple tuple) {
    return with(tuple);
  }

  private Tuple with(@Nullable Object element) {
    TupleEncoder encoder = new TupleEncoder();
    writeFlat(encoder);
    int[] longer = relativeStarts(size + 2);
    encoder.element(element);
    longer[size + 1] = encoder.size();
    return encoded(encoder, longer);
  }

  /** The elements of this tuple and after them those of {@code other}. */
  public Tuple concat(Tuple other) {
    if (incompleteAt == TupleCode.NO_STAMP && other.incompleteAt == TupleCode.NO_STAMP) {
      return isEmpty() ? other : concatComplete(other);
    }
    TupleEncoder encoder = new TupleEncoder();
    writeFlat(encoder);
    int[] joined = relativeStarts(size + other.size + 1);
    for (int i = 0; i <= other.size; i++) {
      joined[size + i] = encoder.size() + other.starts[i] - other.starts[0];
    }
    other.writeFlat(encoder);
    return encoded(encoder, joined);
  }

  private Tuple concatComplete(Tuple other) {
    int length = starts[size] - starts[0];
    byte[] joined = new byte[length + other.starts[other.size] - other.starts[0]];
    copyTo(joined, 0);
    other.copyTo(joined, length);
    int[] joinedStarts = relativeStarts(size + other.size + 1);
    for (int i = 0; i <= other.size; i++) {
      joinedStarts[size + i] = length + other.starts[i] - other.starts[0];
    }
    int deeper = Math.max(depth, other.depth);
    return new Tuple(joined, joinedStarts, size + other.size, deeper, TupleCode.NO_STAMP);
  }

  private void copyTo(byte[] target, int at) {
    System.arraycopy(bytes, starts[0], target, at, starts[size] - starts[0]);
  }

  private int[] relativeStarts(int length) {
    int[] relative = new int[length];
    for (int i = 0; i <= size; i++) {
      relative[i] = starts[i] - starts[0];
    }
    return relative;
  }

  /**
   * The elements from {@code from} (included) to {@code to} (excluded).
   *
   * @throws IndexOutOfBoundsException if there are no such elements
   */
  public Tuple subTuple(int from, int to) {
    if (from < 0 || from > to || to > size) {
      throw new IndexOutOfBoundsException(
          "There are no elements from %d to %d in the %d of %s".formatted(from, to, size, this));
    }
    return incompleteAt == TupleCode.NO_STAMP
        ? new Tuple(
            bytes, Arrays.copyOfRange(starts, from, to + 1), to - from, depth, TupleCode.NO_STAMP)
        : read(bytes, starts[from], starts[to]);
  }

  /** Number of elements. */
  public int size() {
    return size;
  }

  /** Whether there are no elements. */
  public boolean isEmpty() {
    return size == 0;
  }

  /**
   * The element at {@code index}: null, {@code byte[]}, {@code String}, {@code Long}, {@code
   * BigInteger} (if it is beyond a long), {@code Float}, {@code Double}, {@code Boolean}, {@code
   * UUID}, {@code Versionstamp} or {@code Tuple}.
   *
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public @Nullable Object get(int index) {
    byte code = code(index);
    return switch (code) {
      case TupleCode.NULL -> null;
      case TupleCode.BYTES -> getBytes(index);
      case TupleCode.STRING -> getString(index);
      case TupleCode.NESTED -> getTuple(index);
      case TupleCode.FLOAT -> getFloat(index);
      case TupleCode.DOUBLE -> getDouble(index);
      case TupleCode.FALSE, TupleCode.TRUE -> getBoolean(index);
      case TupleCode.UUID -> getUuid(index);
      case TupleCode.VERSIONSTAMP -> getVersionstamp(index);
      default ->
          TupleDecoder.fitsLong(bytes, starts[index]) ? getLong(index) : getBigInteger(index);
    };
  }

  /** Whether the element at {@code index} is null. */
  public boolean isNull(int index) {
    return code(index) == TupleCode.NULL;
  }

  /**
   * The integer at {@code index}.
   *
   * @throws ClassCastException if the element is not an integer
   * @throws ArithmeticException if it is beyond a long; {@link #getBigInteger} reads it
   */
  public long getLong(int index) {
    requireInteger(index);
    if (!TupleDecoder.fitsLong(bytes, starts[index])) {
      throw new ArithmeticException(
          "Element %d of %s does not fit a long; use getBigInteger".formatted(index, this));
    }
    return TupleDecoder.integer(bytes, starts[index]);
  }

  /**
   * The integer at {@code index}.
   *
   * @throws ClassCastException if the element is not an integer
   * @throws ArithmeticException if it is beyond an int; {@link #getLong} reads it
   */
  public int getInt(int index) {
    long value = getLong(index);
    if (value != (int) value) {
      throw new ArithmeticException(
          "Element %d of %s does not fit an int; use getLong".formatted(index, this));
    }
    return (int) value;
  }

  /**
   * The integer at {@code index}, of any size.
   *
   * @throws ClassCastException if the element is not an integer
   */
  public BigInteger getBigInteger(int index) {
    requireInteger(index);
    return TupleDecoder.bigInteger(bytes, starts[index]);
  }

  /**
   * The string at {@code index}.
   *
   * @throws ClassCastException if the element is not a string
   */
  public String getString(int index) {
    require(index, TupleCode.STRING);
    return TupleDecoder.string(bytes, starts[index], starts[index + 1]);
  }

  /**
   * The byte string at {@code index}. The array is the caller's to keep.
   *
   * @throws ClassCastException if the element is not a byte string
   */
  public byte[] getBytes(int index) {
    require(index, TupleCode.BYTES);
    return TupleDecoder.byteString(bytes, starts[index], starts[index + 1]);
  }

  /**
   * The float at {@code index}, bit for bit.
   *
   * @throws ClassCastException if the element is not a float
   */
  public float getFloat(int index) {
    require(index, TupleCode.FLOAT);
    return TupleDecoder.real32(bytes, starts[index]);
  }

  /**
   * The double at {@code index}, bit for bit.
   *
   * @throws ClassCastException if the element is not a double
   */
  public double getDouble(int index) {
    require(index, TupleCode.DOUBLE);
    return TupleDecoder.real64(bytes, starts[index]);
  }

  /**
   * The boolean at {@code index}.
   *
   * @throws ClassCastException if the element is not a boolean
   */
  public boolean getBoolean(int index) {
    boolean value = code(index) == TupleCode.TRUE;
    if (!value) {
      require(index, TupleCode.FALSE);
    }
    return value;
  }

  /**
   * The UUID at {@code index}.
   *
   * @throws ClassCastException if the element is not a UUID
   */
  public UUID getUuid(int index) {
    require(index, TupleCode.UUID);
    return TupleDecoder.uuid(bytes, starts[index]);
  }

  /**
   * The versionstamp at {@code index}.
   *
   * @throws ClassCastException if the element is not a versionstamp
   */
  public Versionstamp getVersionstamp(int index) {
    require(index, TupleCode.VERSIONSTAMP);
    int begin = starts[index] + 1;
    return Versionstamp.fromBytes(Arrays.copyOfRange(bytes, begin, begin + Versionstamp.BYTES));
  }

  /**
   * The tuple nested at {@code index}.
   *
   * @throws ClassCastException if the element is not a tuple
   */
  public Tuple getTuple(int index) {
    require(index, TupleCode.NESTED);
    TupleScan scan = TupleScan.ofNested(bytes, starts[index] + 1, starts[index + 1] - 1);
    Tuple nested = scanned(bytes, scan);
    return scan.hasEscapedNulls() ? nested.withPlainNulls() : nested;
  }

  private byte code(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(
          "There is no element %d in %s, which has %d".formatted(index, this, size));
    }
    return bytes[starts[index]];
  }

  private void require(int index, byte wanted) {
    if (code(index) != wanted) {
      throw mismatch(index, wanted);
    }
  }

  private void requireInteger(int index) {
    if (!TupleCode.isInteger(code(index))) {
      throw mismatch(index, TupleCode.ZERO);
    }
  }

  private ClassCastException mismatch(int index, byte wanted) {
    return new ClassCastException(
        "Element %d of %s is %s, not %s"
            .formatted(index, this, TupleCode.name(code(index)), TupleCode.name(wanted)));
  }

  /** The elements, in a list that does not change. */
  public List<@Nullable Object> toList() {
    List<@Nullable Object> elements = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      elements.add(get(i));
    }
    return Collections.unmodifiableList(elements);
  }

  /**
   * The packed form.
   *
   * @throws IllegalArgumentException if the tuple has an incomplete versionstamp, for which there
   *     is {@link #packWithVersionstamp}
   */
  public byte[] pack() {
    requireComplete();
    return Arrays.copyOfRange(bytes, starts[0], starts[size]);
  }

  /**
   * The packed form as a key.
   *
   * @throws IllegalArgumentException if the tuple has an incomplete versionstamp
   */
  public Key toKey() {
    requireComplete();
    return starts[0] == 0 && starts[size] == bytes.length ? Key.wrap(bytes) : Key.wrap(pack());
  }

  /** The packed form behind {@code prefix}. */
  Key toKey(Key prefix) {
    requireComplete();
    byte[] packed = Arrays.copyOf(prefix.unsafeBytes(), prefix.size() + starts[size] - starts[0]);
    copyTo(packed, prefix.size());
    return Key.wrap(packed);
  }

  private void requireComplete() {
    if (incompleteAt != TupleCode.NO_STAMP) {
      throw new IllegalArgumentException(
          "%s has an incomplete versionstamp; use packWithVersionstamp".formatted(this));
    }
  }

  /**
   * An operand of {@link MutationType#SET_VERSIONSTAMPED_VALUE}: the packed form, in which the
   * commit fills in the one incomplete versionstamp, and four bytes that say where it is.
   *
   * @throws IllegalArgumentException if the tuple has no incomplete versionstamp, or several
   */
  public byte[] packWithVersionstamp() {
    return packWithVersionstamp(Key.EMPTY);
  }

  /**
   * {@code prefix}, after it the packed form, in which the commit fills in the one incomplete
   * versionstamp, and four bytes that say where it is.
   *
   * @throws IllegalArgumentException if the tuple has no incomplete versionstamp, or several
   */
  public byte[] packWithVersionstamp(Key prefix) {
    if (incompleteAt < 0) {
      throw new IllegalArgumentException(
          "%s has %s incomplete versionstamp; packWithVersionstamp needs exactly one"
              .formatted(this, incompleteAt == TupleCode.NO_STAMP ? "no" : "more than one"));
    }
    int offset = prefix.size() + incompleteAt - starts[0];
    TupleEncoder encoder = new TupleEncoder(prefix);
    writeFlat(encoder);
    byte[] littleEndian = {
      (byte) offset, (byte) (offset >>> 8), (byte) (offset >>> 16), (byte) (offset >>> 24)
    };
    encoder.copy(littleEndian, 0, littleEndian.length);
    return encoder.toByteArray();
  }

  /**
   * The keys of all tuples that begin with the elements of this one and have more. The key of this
   * tuple itself is not among them.
   *
   * @throws IllegalArgumentException if the tuple has an incomplete versionstamp
   */
  public KeyRange range() {
    Key key = toKey();
    return new KeyRange(key.append((byte) 0), key.append((byte) 0xff));
  }

  int depth() {
    return depth;
  }

  /** Copies the elements to the end of {@code encoder}. */
  void writeFlat(TupleEncoder encoder) {
    if (incompleteAt == TupleCode.MANY_STAMPS) {
      encoder.incompleteAt(0);
    }
    if (incompleteAt != TupleCode.NO_STAMP) {
      encoder.incompleteAt(encoder.size() + incompleteAt - starts[0]);
    }
    encoder.atLeastAsDeepAs(depth);
    encoder.copy(bytes, starts[0], starts[size]);
  }

  /** Copies the elements to the end of {@code encoder} as those of a nested tuple. */
  void writeNested(TupleEncoder encoder) {
    if (incompleteAt == TupleCode.MANY_STAMPS) {
      encoder.incompleteAt(0);
      encoder.incompleteAt(0);
    }
    for (int i = 0; i < size; i++) {
      if (bytes[starts[i]] == TupleCode.NULL) {
        encoder.nestedNull();
      } else {
        if (incompleteAt >= starts[i] && incompleteAt < starts[i + 1]) {
          encoder.incompleteAt(encoder.size() + incompleteAt - starts[i]);
        }
        encoder.copy(bytes, starts[i], starts[i + 1]);
      }
    }
  }

  /** This tuple, whose nulls are those of a nested one, as a tuple of its own. */
  Tuple withPlainNulls() {
    TupleEncoder encoder = new TupleEncoder();
    for (int i = 0; i < size; i++) {
      boolean isNull = bytes[starts[i]] == TupleCode.NULL;
      encoder.copy(bytes, starts[i], isNull ? starts[i] + 1 : starts[i + 1]);
    }
    byte[] plain = encoder.toByteArray();
    return read(plain, 0, plain.length);
  }

  /** Compares as the store orders the packed forms. */
  @Override
  public int compareTo(Tuple other) {
    return Arrays.compareUnsigned(
        bytes, starts[0], starts[size], other.bytes, other.starts[0], other.starts[other.size]);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tuple that
        && Arrays.equals(
            bytes, starts[0], starts[size], that.bytes, that.starts[0], that.starts[that.size]);
  }

  @Override
  public int hashCode() {
    int h = hash;
    if (h == 0) {
      h = 1;
      for (int i = starts[0]; i < starts[size]; i++) {
        h = 31 * h + bytes[i];
      }
      hash = h;
    }
    return h;
  }

  /** The elements as a person would write them: {@code ("users", 42)}. Long ones are cut. */
  @Override
  public String toString() {
    return KeyPrinter.cut(KeyPrinter.print(bytes, starts, size));
  }
}
