/**
 * The promises of {@code dev.tidemark.kv} as suites of tests. An engine's test class extends {@code
 * DatabaseConformance} and hands in how its database is opened; the suites, one class a subject,
 * run as nested classes of it. What an engine cannot do (limits or a clock of one's own) it says in
 * a method, and the suites that need it are skipped by name. Only test classes of engines and of
 * decorators extend this package.
 */
@NullMarked
package dev.tidemark.testkit.conformance;

import org.jspecify.annotations.NullMarked;
