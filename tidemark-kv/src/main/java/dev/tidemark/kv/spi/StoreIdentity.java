package dev.tidemark.kv.spi;

import java.util.UUID;

/**
 * Which store a transaction is of.
 *
 * @param store the same for as long as there is the store, in its backups too
 * @param opening another one each time it is opened; versions that were read before mean nothing
 *     after
 */
public record StoreIdentity(UUID store, UUID opening) {}
