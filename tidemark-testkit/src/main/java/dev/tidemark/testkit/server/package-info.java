/**
 * Real servers on the loopback address for tests and measurements, and certificates for our own
 * servers. A directory comes in; a server that runs and its address go out, and {@code close} ends
 * the process. The programs are not included: a test skips itself by name where they are missing.
 * Any test may use them.
 */
@NullMarked
package dev.tidemark.testkit.server;

import org.jspecify.annotations.NullMarked;
