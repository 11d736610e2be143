/**
 * Extensions of JUnit for tests with a database or with chance. A test hands in how a database is
 * opened, or how many seeds it wants; it gets a database of its own that is checked for leaks, or
 * one invocation a seed. Any test may use them. Nothing in the testkit but the checks and the
 * suites needs this package.
 */
@NullMarked
package dev.tidemark.testkit.junit;

import org.jspecify.annotations.NullMarked;
