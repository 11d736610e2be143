package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.MessageInfo.State;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.UUID;

/**
 * Writes each state of each delivery to the log {@code dev.tidemark.loader.messages}, at the level
 * of debugging: by its UUID it can be followed from its arrival to its ack or nack. Costs nothing
 * where the level is off.
 */
final class Trace {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.loader.messages");

  private Trace() {}

  static void arrived(String source, List<Delivery> deliveries) {
    if (LOG.isLoggable(Level.DEBUG)) {
      for (Delivery delivery : deliveries) {
        LOG.log(
            Level.DEBUG,
            "{0} is message {1} of {2}, delivery {3}",
            delivery.id(),
            delivery.message().id(),
            source,
            Integer.toString(delivery.message().deliveries()));
      }
    }
  }

  static void merging(UUID job, List<Delivery> deliveries) {
    if (LOG.isLoggable(Level.DEBUG)) {
      for (Delivery delivery : deliveries) {
        LOG.log(Level.DEBUG, "{0} is in job {1}", delivery.id(), job);
      }
    }
  }

  static void became(State state, List<Delivery> deliveries) {
    if (LOG.isLoggable(Level.DEBUG)) {
      for (Delivery delivery : deliveries) {
        LOG.log(Level.DEBUG, "{0} is {1}", delivery.id(), state);
      }
    }
  }
}
