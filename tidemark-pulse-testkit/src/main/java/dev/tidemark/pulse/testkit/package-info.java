/** What every store behind streams, maps and pools has to do, as test suites to be extended. */
@NullMarked
package dev.tidemark.pulse.testkit;

import org.jspecify.annotations.NullMarked;
