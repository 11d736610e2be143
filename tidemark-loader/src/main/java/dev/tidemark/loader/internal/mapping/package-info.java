/**
 * Strict conversion of what messages carry into values of columns. Texts of attributes, values of
 * JSON bodies and components of Java records come in; values of the class that a column type names
 * go out, or a reason why there is none. {@link dev.tidemark.loader.TableMapping} calls this room.
 */
@NullMarked
package dev.tidemark.loader.internal.mapping;

import org.jspecify.annotations.NullMarked;
