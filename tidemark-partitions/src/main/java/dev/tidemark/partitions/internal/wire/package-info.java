/**
 * The messages and services of the partition protocol, generated from {@code partitions.proto},
 * {@code control.proto} and {@code manager.proto}. Clients, servers, managers and the operator's
 * tool speak them; nothing of this package appears in a public signature.
 */
@NullMarked
package dev.tidemark.partitions.internal.wire;

import org.jspecify.annotations.NullMarked;
