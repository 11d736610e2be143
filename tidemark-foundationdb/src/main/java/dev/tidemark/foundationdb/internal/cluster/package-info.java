/**
 * A FoundationDB cluster as our {@link dev.tidemark.kv.Database}. Calls of our interface come in
 * through {@code Cluster} and {@code ClusterTransaction} and go out as calls of Apple's client;
 * futures become blocking calls in {@code Replies}, failures ours in {@code ClusterErrors}. {@code
 * VersionSampler} keeps the times of versions. Only {@link dev.tidemark.foundationdb.FoundationDb}
 * calls this package.
 */
@NullMarked
package dev.tidemark.foundationdb.internal.cluster;

import org.jspecify.annotations.NullMarked;
