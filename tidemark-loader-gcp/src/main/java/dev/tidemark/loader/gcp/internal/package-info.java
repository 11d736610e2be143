/**
 * What the HTTP function and the command share: results of runs come in, one line of JSON goes out.
 */
@NullMarked
package dev.tidemark.loader.gcp.internal;

import org.jspecify.annotations.NullMarked;
