/**
 * The listening side. Connections come in and are counted; calls come in and are let through with
 * the role of their token. What goes out is a call in the layer's handler, on a network thread or a
 * virtual one. Only {@code GrpcListener} calls this package.
 */
@NullMarked
package dev.tidemark.grpc.internal.server;

import org.jspecify.annotations.NullMarked;
