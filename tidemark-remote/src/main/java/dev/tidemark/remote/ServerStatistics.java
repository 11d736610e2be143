package dev.tidemark.remote;

/**
 * What a server has done since it was opened, and what its clients hold.
 *
 * @param clients clients that have greeted and are connected now: those that {@link
 *     ServerOptions#clients} is for
 * @param clientsSeen clients that have connected, each reconnection counted, and also those that
 *     did not greet
 * @param clientsRefused clients refused: wrong token, other protocol, too many, malformed requests
 * @param clientsCutOff clients cut off: no greeting, replies not taken in time, a frame not sent to
 *     its end
 * @param frames frames of requests received
 * @param requests requests received
 * @param scansConfirmed requests of scans that were answered without rows, because the client had
 *     them already
 * @param commits commits carried out
 * @param commitsRefused commits that ended with an error
 * @param commitsSettled commits whose reply a client had lost, and asked what became of them
 * @param readers transactions open for reads of clients
 * @param watches watches of clients
 * @param bytesReceived bytes of requests on the network
 * @param bytesSent bytes of replies on the network
 * @param bytesWaiting bytes of replies that clients have not taken yet
 * @param bytesHeld those, bytes of requests being worked on, and of frames that have come in part:
 *     what {@link ServerOptions#bytes} is for
 * @param connections connections that are open, with a session or without
 * @param connectionsClosed connections closed because the network held too much, and for them the
 *     most for the longest time
 * @param networkBytes bytes that the network holds for all clients: what {@link
 *     ServerOptions#networkBytes} is for
 */
public record ServerStatistics(
    long clients,
    long clientsSeen,
    long clientsRefused,
    long clientsCutOff,
    long frames,
    long requests,
    long scansConfirmed,
    long commits,
    long commitsRefused,
    long commitsSettled,
    long readers,
    long watches,
    long bytesReceived,
    long bytesSent,
    long bytesWaiting,
    long bytesHeld,
    long connections,
    long connectionsClosed,
    long networkBytes) {
  /** Requests that shared a frame on average. */
  public double meanFrameSize() {
    return frames == 0 ? 0 : (double) requests / frames;
  }
}
