package dev.tidemark.pulse;

/**
 * A worker of a pool, anywhere.
 *
 * @param id its id
 * @param node the id of its node
 * @param slot its place in the ring that keys are spread over
 */
public record WorkerInfo(String id, String node, int slot) {}
