/**
 * What several packages of the testkit share: threads that are started together and joined with
 * their failures, and the template of a key or value that waits for its versionstamp. Nothing here
 * knows any other package of the testkit. Not API: only the testkit calls it, and it changes
 * without notice.
 */
@NullMarked
package dev.tidemark.testkit.internal;

import org.jspecify.annotations.NullMarked;
