/**
 * All layers on one store, opened from one object. A directory or an address comes in; record
 * stores, streams, maps, pools, change readers, actors and loaders go out. Programs call it at
 * their start and close it at their end. Each layer can also be used without it.
 */
@NullMarked
package dev.tidemark;

import org.jspecify.annotations.NullMarked;
