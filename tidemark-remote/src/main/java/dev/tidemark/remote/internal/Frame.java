package dev.tidemark.remote.internal;

import java.util.List;

/**
 * What crosses the network at once: requests or replies, each as one field, in protobuf's format.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and nobody changes it
record Frame(byte[] bytes) {
  /** The number of the field that requests and replies are in. */
  static final int MESSAGES = 1;

  /** A frame of {@code messages}, each with its tag and its length. */
  static Frame of(List<byte[]> messages) {
    if (messages.size() == 1) {
      return new Frame(messages.getFirst());
    }
    int size = 0;
    for (byte[] message : messages) {
      size += message.length;
    }
    byte[] bytes = new byte[size];
    int at = 0;
    for (byte[] message : messages) {
      System.arraycopy(message, 0, bytes, at, message.length);
      at += message.length;
    }
    return new Frame(bytes);
  }

  /** How many requests or replies it has. */
  int count() {
    int count = 0;
    for (FieldReader fields = read(); fields.next(); fields.skip()) {
      count += fields.field() == MESSAGES ? 1 : 0;
    }
    return count;
  }

  FieldReader read() {
    return new FieldReader(bytes);
  }
}
