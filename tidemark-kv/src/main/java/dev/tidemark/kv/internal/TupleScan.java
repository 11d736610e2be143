package dev.tidemark.kv.internal;

import java.util.Arrays;

/**
 * One pass over packed elements that checks every byte and notes where each element begins.
 *
 * <p>Exactly the bytes that a tuple is packed into are accepted: an integer in more bytes than it
 * needs, say, would sort apart from its equal, so it is no integer of a tuple.
 */
public final class TupleScan {
  private static final int LEAST_BIG_BYTES = 9;

  private final byte[] bytes;
  private final int begin;
  private final int end;
  private int[] starts = new int[8];
  private int count;
  private int depth;
  private boolean escapedNulls;
  private int incompleteAt = TupleCode.NO_STAMP;

  private TupleScan(byte[] bytes, int begin, int end) {
    this.bytes = bytes;
    this.begin = begin;
    this.end = end;
  }

  /**
   * Scans the tuple packed in these bytes.
   *
   * @throws MalformedBytesException if they are not a tuple
   */
  public static TupleScan of(byte[] bytes, int begin, int end) {
    TupleScan scan = new TupleScan(bytes, begin, end);
    int at = begin;
    while (at < end) {
      scan.start(at);
      at = scan.element(at, 0);
    }
    scan.start(end);
    return scan;
  }

  /**
   * Scans the tuple nested in these bytes, which have been checked.
   *
   * @param begin the first byte after the type code
   * @param end the byte that ends the nested tuple
   */
  public static TupleScan ofNested(byte[] bytes, int begin, int end) {
    TupleScan scan = new TupleScan(bytes, begin, end);
    int at = begin;
    while (at < end) {
      scan.start(at);
      boolean isNull = bytes[at] == TupleCode.NULL;
      scan.escapedNulls |= isNull;
      at = isNull ? at + 2 : scan.element(at, 0);
    }
    scan.start(end);
    return scan;
  }

  /** Where elements begin, and after the last one where it ends. The array is not copied. */
  public int[] starts() {
    return starts;
  }

  /** Number of elements. */
  public int size() {
    return count - 1;
  }

  /** How many tuples inside tuples there are. */
  public int depth() {
    return depth;
  }

  /** Where the incomplete versionstamp is, or a special value of {@link TupleCode}. */
  public int incompleteAt() {
    return incompleteAt;
  }

  /** Whether there are nulls of two bytes, as only a nested tuple has them. */
  public boolean hasEscapedNulls() {
    return escapedNulls;
  }

  private void start(int at) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
    }
    starts[count++] = at;
  }

  /** Checks the element at {@code at} and returns where the next one begins. */
  private int element(int at, int level) {
    byte code = bytes[at];
    return switch (code) {
      case TupleCode.NULL, TupleCode.FALSE, TupleCode.TRUE -> at + 1;
      case TupleCode.BYTES -> byteString(at);
      case TupleCode.STRING -> string(at);
      case TupleCode.NESTED -> nested(at, level + 1);
      case TupleCode.NEGATIVE_BIG, TupleCode.POSITIVE_BIG -> bigInteger(at);
      case TupleCode.FLOAT -> fixed(at, 4);
      case TupleCode.DOUBLE -> fixed(at, 8);
      case TupleCode.UUID -> fixed(at, 16);
      case TupleCode.VERSIONSTAMP -> versionstamp(at);
      default -> {
        if (!TupleCode.isInteger(code)) {
          throw malformed(at, "there is no type with the code %02x".formatted(code));
        }
        yield integer(at);
      }
    };
  }

  private int byteString(int at) {
    for (int i = at + 1; i < end; i++) {
      if (bytes[i] == 0) {
        if (!escaped(i)) {
          return i + 1;
        }
        i++;
      }
    }
    throw malformed(at, "a byte string without an end begins");
  }

  private int string(int at) {
    int i = at + 1;
    while (i < end) {
      byte b = bytes[i];
      if (b > 0) {
        i++;
      } else if (b < 0) {
        i = utf8(i);
      } else if (escaped(i)) {
        i += 2;
      } else {
        return i + 1;
      }
    }
    throw malformed(at, "a string without an end begins");
  }

  private boolean escaped(int zero) {
    return zero + 1 < end && bytes[zero + 1] == TupleCode.ESCAPE;
  }

  /** Checks one character of several bytes (RFC 3629) and returns where the next one begins. */
  private int utf8(int at) {
    int lead = bytes[at] & 0xff;
    int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0xc2 || lead > 0xf4 || at + length > end) {
      throw malformed(at, "the string is not UTF-8");
    }
    int second = bytes[at + 1] & 0xff;
    int least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    int most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    boolean good = second >= least && second <= most;
    for (int i = at + 2; i < at + length; i++) {
      good &= (bytes[i] & 0xc0) == 0x80;
    }
    if (!good) {
      throw malformed(at, "the string is not UTF-8");
    }
    return at + length;
  }

  private int nested(int at, int level) {
    if (level > TupleCode.MAX_DEPTH) {
      throw malformed(
          at, "more than %,d tuples are inside each other".formatted(TupleCode.MAX_DEPTH));
    }
    depth = Math.max(depth, level);
    int i = at + 1;
    while (i < end) {
      if (bytes[i] != TupleCode.NULL) {
        i = element(i, level);
      } else if (escaped(i)) {
        i += 2;
      } else {
        return i + 1;
      }
    }
    throw malformed(at, "a nested tuple without an end begins");
  }

  private int integer(int at) {
    int length = Math.abs(bytes[at] - TupleCode.ZERO);
    int next = fixed(at, length);
    if (length > 0) {
      refuseUnneededByte(at, at + 1);
    }
    return next;
  }

  private int bigInteger(int at) {
    fixed(at, 1);
    int length = (bytes[at] == TupleCode.NEGATIVE_BIG ? ~bytes[at + 1] : bytes[at + 1]) & 0xff;
    int next = fixed(at, 1 + length);
    if (length < LEAST_BIG_BYTES) {
      throw malformed(at, "an integer has more bytes than it needs");
    }
    refuseUnneededByte(at, at + 2);
    return next;
  }

  private void refuseUnneededByte(int at, int digits) {
    if (bytes[digits] == (bytes[at] < TupleCode.ZERO ? (byte) 0xff : 0)) {
      throw malformed(at, "an integer has more bytes than it needs");
    }
  }

  private int versionstamp(int at) {
    int next = fixed(at, StampBytes.LENGTH);
    if (!StampBytes.isComplete(bytes, at + 1)) {
      incompleteAt = incompleteAt == TupleCode.NO_STAMP ? at + 1 : TupleCode.MANY_STAMPS;
    }
    return next;
  }

  private int fixed(int at, int length) {
    if (end - at - 1 < length) {
      throw malformed(
          at,
          "%s needs %d bytes and there are %d left"
              .formatted(TupleCode.name(bytes[at]), length, end - at - 1));
    }
    return at + 1 + length;
  }

  private MalformedBytesException malformed(int at, String problem) {
    return new MalformedBytesException(at - begin, problem);
  }
}
