package dev.tidemark.remote.internal.server;

import dev.tidemark.grpc.ListenerStatistics;
import dev.tidemark.remote.ServerStatistics;
import java.util.concurrent.atomic.LongAdder;

/** What a server counts. */
final class ServerCounters {
  final LongAdder clientsSeen = new LongAdder();
  final LongAdder clientsRefused = new LongAdder();
  final LongAdder clientsCutOff = new LongAdder();
  final LongAdder frames = new LongAdder();
  final LongAdder requests = new LongAdder();
  final LongAdder scansConfirmed = new LongAdder();
  final LongAdder commits = new LongAdder();
  final LongAdder commitsRefused = new LongAdder();
  final LongAdder commitsSettled = new LongAdder();
  final LongAdder readers = new LongAdder();
  final LongAdder watches = new LongAdder();
  final LongAdder bytesReceived = new LongAdder();
  final LongAdder bytesSent = new LongAdder();

  ServerStatistics statistics(
      long clients, ListenerStatistics listener, long bytesWaiting, long bytesHeld) {
    return new ServerStatistics(
        clients,
        clientsSeen.sum(),
        clientsRefused.sum() + listener.callsRefused(),
        clientsCutOff.sum(),
        frames.sum(),
        requests.sum(),
        scansConfirmed.sum(),
        commits.sum(),
        commitsRefused.sum(),
        commitsSettled.sum(),
        readers.sum(),
        watches.sum(),
        bytesReceived.sum(),
        bytesSent.sum(),
        bytesWaiting,
        bytesHeld,
        listener.connections(),
        listener.connectionsClosed(),
        listener.networkBytes());
  }
}
