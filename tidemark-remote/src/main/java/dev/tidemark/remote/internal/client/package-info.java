/**
 * One client of a served database: what is behind {@link dev.tidemark.remote.RemoteDatabase}.
 *
 * <p>Calls of transactions come in through {@code RemoteTransaction}; {@code RemoteReads} and
 * {@code CommitEncoding} make requests of them. {@code ServerLine} keeps one {@code Connection} and
 * makes another when it is lost; replies come back to the {@code Call} that waits. {@code
 * KnownRows} remembers rows that a server may confirm instead of sending. Only the public package
 * calls it, through {@code StoreClient}.
 */
@NullMarked
package dev.tidemark.remote.internal.client;

import org.jspecify.annotations.NullMarked;
