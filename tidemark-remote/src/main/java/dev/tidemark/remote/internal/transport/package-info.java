/**
 * What both ends do to bytes: messages as fields, several of them in a frame, frames taken to gRPC
 * and back, and the line in which they wait to be sent.
 *
 * <p>Keys, rows and requests come in and go out as protobuf's format; those that come in great
 * numbers are written and read here by hand, without objects between. The format is described in
 * docs/formats/remote.md. {@code Outbox} sends when the network takes more and {@code Crowd} says
 * who is about to join. Client and server call it; it knows neither of them.
 */
@NullMarked
package dev.tidemark.remote.internal.transport;

import org.jspecify.annotations.NullMarked;
