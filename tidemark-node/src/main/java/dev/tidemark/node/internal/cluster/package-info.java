/**
 * An example of partitions: an actor of keys with values, one of objects in buckets, and a cluster
 * of two managers and three servers in one process. Words of the command {@code cluster} come in;
 * requests to the actors go out. The command is the only caller; the code is meant to be read and
 * copied.
 */
@NullMarked
package dev.tidemark.node.internal.cluster;

import org.jspecify.annotations.NullMarked;
