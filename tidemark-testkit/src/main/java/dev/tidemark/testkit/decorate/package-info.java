/**
 * Databases and transactions that pass every call on, for decorators that change a few of them. A
 * database comes in, and one that acts otherwise in some way goes out: {@code Owning} closes more
 * than itself, {@code WithoutIds} takes commits for certain. {@code faults}, {@code cluster} and
 * {@code junit} build on this package, and tests may do so too.
 */
@NullMarked
package dev.tidemark.testkit.decorate;

import org.jspecify.annotations.NullMarked;
