/**
 * What layers whose calls are streams have in common: messages of many threads leave as one frame,
 * and the threads that wait for replies are woken together. The remote database and partitions use
 * this package on both sides; gRPC's observers are all that it knows of the network.
 */
@NullMarked
package dev.tidemark.grpc.internal.frames;

import org.jspecify.annotations.NullMarked;
