/**
 * What every served port has in common. A layer describes its gRPC services in a {@link
 * dev.tidemark.grpc.ServedApi} and opens a {@link dev.tidemark.grpc.GrpcListener}, which adds TLS,
 * access tokens with roles, a limit of connections, health and an orderly end. A client opens a
 * {@link dev.tidemark.grpc.GrpcChannel} to an {@link dev.tidemark.grpc.Address} and calls the same
 * services. Plain text stays on the machine unless an option allows more. Every layer with a port
 * may call this package; it knows none of them.
 */
@NullMarked
package dev.tidemark.grpc;

import org.jspecify.annotations.NullMarked;
