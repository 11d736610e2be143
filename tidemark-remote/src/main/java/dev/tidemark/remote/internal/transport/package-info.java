/**
 * What both ends do to bytes: messages as fields, several of them in a frame, frames taken to gRPC
 * and back, and the line in which they wait to be sent.
 *
 * <p>Keys, rows and requests come in and go out as protobuf's format; frequent kinds are written
 * and parsed here by hand, without intermediate objects. The format is described in
 * docs/formats/remote.md. {@code Outbox} and {@code Crowd} of {@code dev.tidemark.grpc} send the
 * frames. Client and server call it; it knows neither of them.
 */
@NullMarked
package dev.tidemark.remote.internal.transport;

import org.jspecify.annotations.NullMarked;
