package dev.tidemark.chaos.remote;

import dev.tidemark.chaos.run.Tally;

/** What a run against a served database has done to its processes and connections. */
final class RemoteTally extends Tally {
  private int cuts;
  private int serverKills;
  private int clientKills;
  private int unknown;
  private long settled;

  /** Connections that were cut. */
  void cuts(int connections) {
    cuts += connections;
  }

  void serverKill() {
    serverKills++;
  }

  void clientKill() {
    clientKills++;
  }

  /** Commits whose result a client did not learn from the commit itself. */
  void unknown(int commits) {
    unknown += commits;
  }

  /** Commits of which a client found out by their id what had become of them. */
  void settled(long commits) {
    settled += commits;
  }

  @Override
  public String summary(int rounds) {
    return ("rounds=%d transfers=%d cuts=%d kills=%d lost=%d torn=%d broken=%d unknown=%d"
            + " settled=%d server_kills=%d client_kills=%d")
        .formatted(
            rounds,
            acknowledged(),
            cuts,
            serverKills + clientKills,
            findings.lostCount(),
            findings.tornCount(),
            findings.otherCount(),
            unknown,
            settled,
            serverKills,
            clientKills);
  }
}
