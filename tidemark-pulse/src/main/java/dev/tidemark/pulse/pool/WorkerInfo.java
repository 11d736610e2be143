package dev.tidemark.pulse.pool;

/**
 * A worker of a pool, anywhere.
 *
 * @param id its id
 * @param node the id of its node
 * @param slot its number among the slots that keys are spread over
 */
public record WorkerInfo(String id, String node, int slot) {}
