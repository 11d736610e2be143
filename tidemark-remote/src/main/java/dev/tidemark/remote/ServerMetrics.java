package dev.tidemark.remote;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/**
 * The statistics of a server as Micrometer meters, all under {@code tidemark.server.}. This class
 * needs micrometer-core on the class path; nothing else of this module does.
 */
public final class ServerMetrics implements MeterBinder {
  private static final String PREFIX = "tidemark.server.";

  private final DatabaseServer server;

  /** Meters for {@code server}. After it is closed they keep their last values. */
  public ServerMetrics(DatabaseServer server) {
    this.server = server;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, "clients", "clients", ServerStatistics::clients);
    counter(registry, "clients.seen", "Connected", ServerStatistics::clientsSeen);
    counter(registry, "clients.refused", "Refused", ServerStatistics::clientsRefused);
    counter(registry, "clients.cut.off", "Cut off", ServerStatistics::clientsCutOff);
    counter(registry, "frames", "Frames of requests", ServerStatistics::frames);
    counter(registry, "requests", "Requests", ServerStatistics::requests);
    gauge(registry, "frame.mean", "requests", ServerStatistics::meanFrameSize);
    counter(registry, "scans.confirmed", "Without rows", ServerStatistics::scansConfirmed);
    counter(registry, "commits", "Carried out", ServerStatistics::commits);
    counter(registry, "commits.refused", "Ended with errors", ServerStatistics::commitsRefused);
    counter(registry, "commits.settled", "Replies were lost", ServerStatistics::commitsSettled);
    gauge(registry, "readers", "transactions", ServerStatistics::readers);
    gauge(registry, "watches", "watches", ServerStatistics::watches);
    counter(registry, "bytes.received", "Bytes of requests", ServerStatistics::bytesReceived);
    counter(registry, "bytes.sent", "Bytes of replies", ServerStatistics::bytesSent);
    gauge(registry, "bytes.waiting", "bytes", ServerStatistics::bytesWaiting);
    gauge(registry, "bytes.held", "bytes", ServerStatistics::bytesHeld);
    gauge(registry, "connections", "connections", ServerStatistics::connections);
    counter(registry, "connections.closed", "To make room", ServerStatistics::connectionsClosed);
    gauge(registry, "network", "bytes", ServerStatistics::networkBytes);
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<ServerStatistics> value) {
    FunctionCounter.builder(PREFIX + name, this, own -> value.applyAsDouble(own.latest()))
        .description(description)
        .register(registry);
  }

  /** Keeps this object, and so the server, reachable: a registry holds what it reads weakly. */
  private void gauge(
      MeterRegistry registry, String name, String unit, ToDoubleFunction<ServerStatistics> value) {
    Gauge.builder(PREFIX + name, this, own -> value.applyAsDouble(own.latest()))
        .strongReference(true)
        .baseUnit(unit)
        .register(registry);
  }

  private ServerStatistics latest() {
    return server.statistics();
  }
}
