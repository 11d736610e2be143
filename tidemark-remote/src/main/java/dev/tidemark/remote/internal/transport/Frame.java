package dev.tidemark.remote.internal.transport;

import java.util.List;

/**
 * The unit that crosses the network: requests or replies, each as one field, in protobuf's format.
 *
 * @param pieces the bytes, one array behind the other; nobody changes them
 */
public record Frame(List<byte[]> pieces) {
  /** The number of the field that requests and replies are in. */
  public static final int MESSAGES = 1;

  /** A frame that came as {@code bytes}. */
  public static Frame of(byte[] bytes) {
    return new Frame(List.of(bytes));
  }

  /** How many requests or replies a frame has that came, at most {@code most}. */
  public int count(int most) {
    return read().count(most); // Others than messages too: they take as long to pass over.
  }

  /** What is in a frame that came. */
  public FieldReader read() {
    return new FieldReader(pieces.getFirst());
  }

  /** Bytes in all. */
  public int size() {
    int size = 0;
    for (byte[] piece : pieces) {
      size += piece.length;
    }
    return size;
  }
}
