/**
 * A database that acts like a FoundationDB cluster where a cluster acts otherwise than our engines:
 * versions that jump at a recovery, reads ahead that fail the commit, stamped keys that lie
 * elsewhere until the commit. A function that opens an engine over a clock comes in, and {@code
 * ClusterLikeDatabase} goes out. Tests of layers that have to be ready for a cluster, and the
 * conformance suites, run on it; everything else here is internal to it.
 */
@NullMarked
package dev.tidemark.testkit.cluster;

import org.jspecify.annotations.NullMarked;
