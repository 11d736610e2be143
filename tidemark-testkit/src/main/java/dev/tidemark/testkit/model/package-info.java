/**
 * The store in the simplest code that keeps its promises: one lock, and a sorted map that every
 * commit copies. Calls of the {@code Database} interface come in and are answered without any code
 * of an engine, so that the answers are a second opinion. Tests with little data may use {@code
 * ModelDatabase}; the rest is its own business.
 */
@NullMarked
package dev.tidemark.testkit.model;

import org.jspecify.annotations.NullMarked;
