package dev.tidemark.loader;

import java.time.Instant;
import java.util.UUID;

/**
 * A message that did not become a row.
 *
 * @param delivery the id that the loader gave this delivery
 * @param source the name of the source
 * @param message the message
 * @param reason why it has no row
 * @param at when that was found
 */
public record DeadLetter(
    UUID delivery, String source, Message message, String reason, Instant at) {}
