/**
 * An ordered, transactional key-value store with FoundationDB's data model and promises.
 *
 * <p>Start with {@link Database}: {@link Database#transact} runs a function in a serializable
 * transaction and retries it on conflict. {@code Tuple} and {@code Subspace} make keys whose byte
 * order is the order of their values; {@code Directory} gives short prefixes to long paths.
 */
@NullMarked
package dev.tidemark.kv;

import org.jspecify.annotations.NullMarked;
