/**
 * From what a user chose to what gRPC needs: certificates, keys and the rule for plain text.
 * Options and addresses come in, credentials go out. The listener and the channel call it before
 * anything is sent.
 */
@NullMarked
package dev.tidemark.grpc.internal.security;

import org.jspecify.annotations.NullMarked;
