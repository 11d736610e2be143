package dev.tidemark.bench.partitions;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** What goes between nodes of the rival, written with as few bytes as can be. Pekko makes it. */
public final class PekkoMessages extends SerializerWithStringManifest {
  private static final int IDENTIFIER = 8_731;
  private static final String REQUEST = "q";
  private static final String ANSWER = "a";

  private final ActorRefResolver resolver;

  /** A request and who wants the answer. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Request(byte[] payload, ActorRef<Answer> replyTo) {}

  /** The answer. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Answer(byte[] payload) {}

  /** A serializer of one node. */
  public PekkoMessages(ExtendedActorSystem system) {
    this.resolver = ActorRefResolver.get(Adapter.toTyped(system));
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object message) {
    return message instanceof Request ? REQUEST : ANSWER;
  }

  @Override
  public byte[] toBinary(Object message) {
    if (message instanceof Answer answer) {
      return answer.payload;
    }
    Request request = (Request) message;
    byte[] replyTo =
        resolver.toSerializationFormat(request.replyTo).getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Integer.BYTES + replyTo.length + request.payload.length)
        .putInt(replyTo.length)
        .put(replyTo)
        .put(request.payload)
        .array();
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    if (manifest.equals(ANSWER)) {
      return new Answer(bytes);
    }
    ByteBuffer message = ByteBuffer.wrap(bytes);
    byte[] replyTo = new byte[message.getInt()];
    message.get(replyTo);
    byte[] payload = new byte[message.remaining()];
    message.get(payload);
    return new Request(
        payload, resolver.resolveActorRef(new String(replyTo, StandardCharsets.UTF_8)));
  }
}
