package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.Mapping;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.MessageInfo;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message that this loader is responsible for, from its arrival to its ack or nack. */
final class Delivery {
  private final UUID id;
  private final Message message;
  private final long arrivedAt;
  private final int bytes;

  /** Written by the puller before the delivery waits for its batch, and not changed after. */
  private Mapping.@Nullable Result mapped;

  /** Written with it; null where there is no row. */
  private @Nullable RowKey key;

  /** Guarded by the ledger's lock. */
  private MessageInfo.State state = MessageInfo.State.BUFFERED;

  Delivery(UUID id, Message message, long arrivedAt) {
    this.id = id;
    this.message = message;
    this.arrivedAt = arrivedAt;
    this.bytes = message.bytes();
  }

  UUID id() {
    return id;
  }

  Message message() {
    return message;
  }

  long arrivedAt() {
    return arrivedAt;
  }

  int bytes() {
    return bytes;
  }

  /** Stores the result of the mapping, and the key of the row if it is a row. */
  void mapped(Mapping.Result result, @Nullable RowKey rowKey) {
    mapped = result;
    key = rowKey;
  }

  /** The key of the row. */
  RowKey key() {
    return Objects.requireNonNull(key, "The delivery has no row");
  }

  /** What the mapping made of the message. */
  Mapping.Result mapped() {
    return Objects.requireNonNull(mapped, "The delivery waits for its batch and is not mapped");
  }

  MessageInfo.State state() {
    return state;
  }

  void become(MessageInfo.State next) {
    state = next;
  }

  MessageInfo info() {
    return new MessageInfo(id, message.id(), state);
  }
}
