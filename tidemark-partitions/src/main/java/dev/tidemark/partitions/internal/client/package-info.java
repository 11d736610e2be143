/**
 * Finds the owner of a key and talks to it. Routing tables come in from a manager's stream;
 * requests go out to servers, again after a refusal until their deadline. {@code PartitionClient}
 * is the only caller; it turns requests into bytes and back.
 */
@NullMarked
package dev.tidemark.partitions.internal.client;

import org.jspecify.annotations.NullMarked;
