package dev.tidemark.pulse.internal.pool.rows;

/**
 * Who waits for an answer.
 *
 * @param client the id of the client
 * @param request the number that the client gave to its question
 */
public record Waiter(String client, long request) {}
