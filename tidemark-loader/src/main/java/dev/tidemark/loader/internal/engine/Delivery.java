package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.Message;
import dev.tidemark.loader.MessageInfo;
import java.util.UUID;

/** A message that this loader is responsible for, from its arrival to its ack or nack. */
final class Delivery {
  private final UUID id;
  private final Message message;
  private final long arrivedAt;
  private final int bytes;

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
