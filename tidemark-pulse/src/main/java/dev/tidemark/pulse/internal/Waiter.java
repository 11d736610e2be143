package dev.tidemark.pulse.internal;

/**
 * Who waits for an answer.
 *
 * @param client the id of the client
 * @param request the number that the client gave to its question
 */
record Waiter(String client, long request) {}
