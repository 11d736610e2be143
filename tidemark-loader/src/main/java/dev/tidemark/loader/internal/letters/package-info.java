/**
 * Where dead letters are kept beside a warehouse. Dead letters come in from the engine and go out
 * as lines of a file. Only the public package creates what is here.
 */
@NullMarked
package dev.tidemark.loader.internal.letters;

import org.jspecify.annotations.NullMarked;
