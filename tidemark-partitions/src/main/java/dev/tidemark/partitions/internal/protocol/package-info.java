/**
 * Translates between the messages of the wire and the types of this layer: refusals, routes and
 * tables, statistics and operations. Clients, servers and managers call it on both sides of a
 * connection, so that each message is read and written in one place. It keeps no state and opens no
 * connection.
 */
@NullMarked
package dev.tidemark.partitions.internal.protocol;

import org.jspecify.annotations.NullMarked;
