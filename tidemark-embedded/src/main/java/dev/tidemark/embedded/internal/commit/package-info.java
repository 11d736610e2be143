/**
 * The way of a commit: prepared in the caller's thread, enqueued, taken with others as a group,
 * checked, written with one sync, published.
 *
 * <p>A {@code Commit} comes in through {@code PreparedCommit} and {@code CommitPipeline}; its
 * version and stamp go out, or the reason why it was refused. {@code GroupCommit} does the work of
 * one group in order: conflicts ({@code resolve}), values of atomic operations, one batch ({@code
 * storage}), then caches, watches and callers get the outcome. {@code CommitIds} remembers outcomes
 * for clients that lost the reply. Only the engine calls it.
 */
@NullMarked
package dev.tidemark.embedded.internal.commit;

import org.jspecify.annotations.NullMarked;
