/**
 * {@code chaos loader}: two loaders that fill one table from one stream are killed while their
 * merges fail now and then. The table is compared with what was published. The stream's server
 * comes from {@code pulse}; the command calls it, and {@code changes} asks it for an address.
 */
@NullMarked
package dev.tidemark.chaos.loader;

import org.jspecify.annotations.NullMarked;
