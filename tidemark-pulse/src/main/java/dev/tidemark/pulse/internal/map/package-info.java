/**
 * Replicated maps for the user, over the {@code MapStore} of any backend. Writes go to the store as
 * one atomic step; the changes come back from its feed and are applied to a copy in memory, which
 * answers reads. Handlers hear of changes on a thread of their own. {@code BackendPulse} opens
 * maps.
 */
@NullMarked
package dev.tidemark.pulse.internal.map;

import org.jspecify.annotations.NullMarked;
