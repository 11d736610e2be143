package dev.tidemark.remote.internal.transport;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The fields of a message in protobuf's format, one after the other. Messages that come in great
 * numbers are read with it directly, which makes no objects but what they carry.
 *
 * <p>For one thread. Every method throws {@link MalformedFrameException} where the bytes end too
 * early or make no sense.
 */
public final class FieldReader {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED_32 = 5;

  private final byte[] bytes;
  private final int begin;
  private final int end;
  private int at;
  private int tag;

  /** What protobuf's own parser makes of a message. */
  @FunctionalInterface
  public interface Parser<M> {
    /** Parses {@code input}. */
    M parse(CodedInputStream input) throws IOException;
  }

  public FieldReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private FieldReader(byte[] bytes, int begin, int end) {
    this.bytes = bytes;
    this.begin = begin;
    this.end = end;
    this.at = begin;
  }

  /** Bytes of the whole message. */
  public int size() {
    return end - begin;
  }

  /** Whether there is no next field. */
  public boolean isAtEnd() {
    return at == end;
  }

  /** How many fields the whole message has, at most {@code most}. */
  int count(int most) {
    return count(most, field -> true);
  }

  /**
   * How many fields of the whole message have a number that is {@code counted}, up to {@code most}.
   */
  public int count(int most, IntPredicate counted) {
    FieldReader fields = new FieldReader(bytes, begin, end);
    int count = 0;
    for (; count < most && fields.next(); fields.skip()) {
      if (counted.test(fields.field())) {
        count++;
      }
    }
    return count;
  }

  /**
   * How many fields those with the number 1 have together, which are messages, at most {@code
   * most}: protobuf makes one message of them, with the fields of all.
   */
  int countInMessages(int most) {
    FieldReader fields = new FieldReader(bytes, begin, end);
    int count = 0;
    while (count < most && fields.next()) {
      if (fields.field() == 1 && fields.hasLength()) {
        count += fields.message().count(most - count);
      } else {
        fields.skip();
      }
    }
    return count;
  }

  /** Goes to the next field; false after the last one. */
  public boolean next() {
    if (isAtEnd()) {
      return false;
    }
    tag = (int) varint();
    if (field() == 0) {
      throw new MalformedFrameException("a field has the number 0");
    }
    return true;
  }

  /** The number of the current field, which has to be read or skipped before the next one. */
  public int field() {
    return tag >>> 3;
  }

  /** Whether the current field is a message or bytes. */
  boolean hasLength() {
    return (tag & 7) == LENGTH;
  }

  /** The current field as a number. */
  public long number() {
    expect(VARINT);
    return varint();
  }

  /** The current field as bytes, copied. */
  public byte[] copy() {
    int length = length();
    byte[] copied = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return copied;
  }

  /** The current field as a message. */
  public FieldReader message() {
    int length = length();
    FieldReader message = new FieldReader(bytes, at, at + length);
    at += length;
    return message;
  }

  /** The current field as rows. */
  public PackedRows.Reader rows() {
    int length = length();
    PackedRows.Reader rows = new PackedRows.Reader(bytes, at, at + length);
    at += length;
    return rows;
  }

  public void skip() {
    switch (tag & 7) {
      case VARINT -> varint();
      case FIXED_64 -> advance(Long.BYTES);
      case LENGTH -> advance(length());
      case FIXED_32 -> advance(Integer.BYTES);
      default -> throw new MalformedFrameException("field " + field() + " is of no known type");
    }
  }

  /** The whole message, as {@code parser} reads it. It keeps none of the bytes read here. */
  public <M> M parse(Parser<M> parser) {
    return parse(parser, false);
  }

  /** The whole message, as {@code parser} reads it. Long values share the bytes read here. */
  public <M> M parseShared(Parser<M> parser) {
    return parse(parser, true);
  }

  private <M> M parse(Parser<M> parser, boolean shared) {
    try {
      CodedInputStream input =
          UnsafeByteOperations.unsafeWrap(bytes, begin, end - begin).newCodedInput();
      input.enableAliasing(shared);
      M message = parser.parse(input);
      input.checkLastTagWas(0);
      return message;
    } catch (IOException malformed) {
      throw new MalformedFrameException(String.valueOf(malformed.getMessage()));
    }
  }

  private void expect(int type) {
    if ((tag & 7) != type) {
      throw new MalformedFrameException("field " + field() + " is of another type");
    }
  }

  private int length() {
    expect(LENGTH);
    long length = varint();
    if (length < 0 || length > end - at) {
      throw new MalformedFrameException("field " + field() + " is longer than its message");
    }
    return (int) length;
  }

  private void advance(int count) {
    if (count > end - at) {
      throw new MalformedFrameException("field " + field() + " is longer than its message");
    }
    at += count;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (at == end) {
        throw new MalformedFrameException("a number is cut off");
      }
      byte next = bytes[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new MalformedFrameException("a number has more than ten bytes");
  }
}
