/**
 * What every served port has in common: TLS, access tokens, roles, limits of connections, health
 * and an orderly end.
 */
@NullMarked
package dev.tidemark.grpc;

import org.jspecify.annotations.NullMarked;
