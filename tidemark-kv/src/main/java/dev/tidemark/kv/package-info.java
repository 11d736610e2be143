/**
 * An ordered, transactional key-value store with FoundationDB's data model and promises.
 *
 * <p>Start with {@link Database}: {@link Database#transact} runs a function in a serializable
 * transaction and retries it on conflict. {@link Tuple} and {@link Subspace} make keys whose byte
 * order is the order of their values; {@link Directory} gives short prefixes to long paths.
 */
@NullMarked
package dev.tidemark.kv;

import dev.tidemark.kv.directory.Directory;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import org.jspecify.annotations.NullMarked;
