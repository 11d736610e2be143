package dev.tidemark.remote.internal.client;

import org.jspecify.annotations.Nullable;

/** A message in the queue of a client. */
sealed interface Outgoing permits Call, Outgoing.Note {
  /** About how long it is. */
  int size();

  /** The request, as a field of its frame, for the sender; null if it was withdrawn. */
  byte @Nullable [] take();

  /** A request without a reply, or with one that is no call's. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Note(byte[] bytes) implements Outgoing {
    @Override
    public int size() {
      return bytes.length;
    }

    @Override
    public byte[] take() {
      return bytes;
    }
  }
}
