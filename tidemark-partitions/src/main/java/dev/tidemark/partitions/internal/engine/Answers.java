package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.engine.EngineOptions.AnswerLimits;
import dev.tidemark.partitions.internal.log.LogRecord.Answered;
import dev.tidemark.partitions.internal.log.RequestId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The answers to requests that changed something, so that a repetition is answered and not
 * executed. Part of the actor's state, so it is rebuilt from checkpoint and log. Used by the thread
 * that has the turn.
 */
final class Answers {
  private static final byte FORMAT = 1;

  private final AnswerLimits limits;

  /** The client that was silent longest comes first. */
  private final LinkedHashMap<Key, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

  Answers(AnswerLimits limits) {
    this.limits = limits;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Kept(long micros, byte[] answer) {}

  private static final class Client {
    private final TreeMap<Long, Kept> answers = new TreeMap<>();

    /** Lower sequences without an answer here have been forgotten. */
    private long forgottenBelow;

    private long micros;
  }

  /** The answer to {@code id}, if it was carried out before. */
  Optional<byte[]> find(RequestId id) {
    Client client = clients.get(id.client());
    if (client == null) {
      return Optional.empty();
    }
    Kept kept = client.answers.get(id.sequence());
    if (kept == null && id.sequence() < client.forgottenBelow) {
      throw new PartitionException(
          Reason.FORGOTTEN,
          "Request %d of the client %s is older than the answers kept; those from %d on are"
              .formatted(id.sequence(), id.client(), client.forgottenBelow));
    }
    return Optional.ofNullable(kept).map(Kept::answer);
  }

  /** Remembers an answer that was made at {@code micros}. */
  void remember(Answered answered, long micros) {
    RequestId id = answered.id();
    Client client = clients.computeIfAbsent(id.client(), name -> new Client());
    client.micros = Math.max(client.micros, micros);
    client.answers.put(id.sequence(), new Kept(micros, answered.answer()));
    client.answers.headMap(id.settledBelow()).clear();
    client.forgottenBelow = Math.max(client.forgottenBelow, id.settledBelow());
    while (client.answers.size() > limits.perClient() || isOld(client, micros)) {
      client.forgottenBelow = client.answers.pollFirstEntry().getKey() + 1;
    }
    forgetClients(micros);
  }

  private boolean isOld(Client client, long now) {
    return !client.answers.isEmpty() && isOver(client.answers.firstEntry().getValue().micros, now);
  }

  private boolean isOver(long micros, long now) {
    return now - micros > TimeUnit.NANOSECONDS.toMicros(limits.time().toNanos());
  }

  private void forgetClients(long now) {
    Iterator<Client> longestSilent = clients.values().iterator();
    while (longestSilent.hasNext()) {
      Client client = longestSilent.next();
      if (clients.size() <= limits.clients() && !isOver(client.micros, now)) {
        return;
      }
      longestSilent.remove();
    }
  }

  /** A copy that does not change, and writes itself. */
  Frozen freeze() {
    List<FrozenClient> copies = new ArrayList<>(clients.size());
    for (Map.Entry<Key, Client> entry : clients.entrySet()) {
      Client client = entry.getValue();
      copies.add(
          new FrozenClient(
              entry.getKey(), client.micros, client.forgottenBelow, new TreeMap<>(client.answers)));
    }
    return new Frozen(copies);
  }

  private record FrozenClient(
      Key name, long micros, long forgottenBelow, TreeMap<Long, Kept> answers) {}

  /** Answers at one moment. */
  static final class Frozen {
    private final List<FrozenClient> clients;

    private Frozen(List<FrozenClient> clients) {
      this.clients = clients;
    }

    /** These answers and those of {@code other}, whose keys are different. */
    Frozen and(Frozen other) {
      List<FrozenClient> all = new ArrayList<>(clients);
      all.addAll(other.clients);
      return new Frozen(all);
    }

    void write(OutputStream target) throws IOException {
      DataOutputStream out = new DataOutputStream(target);
      out.writeByte(FORMAT);
      out.writeInt(clients.size());
      for (FrozenClient client : clients) {
        out.writeByte(client.name.size());
        out.write(client.name.unsafeBytes());
        out.writeLong(client.micros);
        out.writeLong(client.forgottenBelow);
        out.writeInt(client.answers.size());
        for (Map.Entry<Long, Kept> answer : client.answers.entrySet()) {
          out.writeLong(answer.getKey());
          out.writeLong(answer.getValue().micros);
          out.writeInt(answer.getValue().answer.length);
          out.write(answer.getValue().answer);
        }
      }
      out.flush();
    }
  }

  /** Adds what {@link Frozen#write} wrote. A client that comes twice keeps the answers of both. */
  void load(InputStream source) throws IOException {
    DataInputStream in = new DataInputStream(source);
    byte format = in.readByte();
    if (format != FORMAT) {
      throw new PartitionException(
          Reason.CORRUPT,
          "Remembered answers have format %d; this version of Tidemark reads %d. Upgrade it"
              .formatted(format, FORMAT));
    }
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      loadClient(in);
    }
  }

  private void loadClient(DataInputStream in) throws IOException {
    Key name = Key.wrap(in.readNBytes(in.readByte()));
    Client client = clients.computeIfAbsent(name, missing -> new Client());
    client.micros = Math.max(client.micros, in.readLong());
    // After a merge: rather refuse a request as too old than carry it out twice.
    client.forgottenBelow = Math.max(client.forgottenBelow, in.readLong());
    int answers = in.readInt();
    for (int i = 0; i < answers; i++) {
      long sequence = in.readLong();
      long micros = in.readLong();
      client.answers.put(sequence, new Kept(micros, in.readNBytes(in.readInt())));
    }
  }
}
