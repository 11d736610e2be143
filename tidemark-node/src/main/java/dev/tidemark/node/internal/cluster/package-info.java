/**
 * An example of partitions: a key-value actor, and a cluster of two managers and three servers in
 * one process. Words of the command {@code cluster} come in; requests to the actors go out. {@code
 * command {@code cluster} is the only caller; the code is meant to be read and copied.
 */
@NullMarked
package dev.tidemark.node.internal.cluster;

import org.jspecify.annotations.NullMarked;
