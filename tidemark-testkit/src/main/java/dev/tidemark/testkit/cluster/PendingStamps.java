package dev.tidemark.testkit.cluster;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.testkit.internal.StampTemplate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The versionstamped keys that a transaction sets, as a cluster's client has them until the commit:
 * each lies where the first commit of the version that is read would have put it, and a later clear
 * takes it along or not by that place. An engine decides by the place that the key comes to.
 */
final class PendingStamps {
  private final List<Pending> pending = new ArrayList<>();
  private final List<Pending> cleared = new ArrayList<>();

  /** Whether a clear has met a place that another version gives. */
  private boolean disturbed;

  /** A set of {@code key}, which lies at {@code place} and may come to any of {@code possible}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Pending(Key key, byte[] value, Key place, KeyRange possible) {
    /** Whether nothing but stamped keys can lie in the possible range: they have a prefix. */
    boolean isApart() {
      return !possible.end().equals(Key.END);
    }
  }

  /**
   * Notes a set of {@code key}, which ends in its offset, in a transaction that reads a version.
   */
  void set(Key key, byte[] value, long readVersion) {
    StampTemplate template = StampTemplate.parse(key.toByteArray());
    byte[] most = new byte[Versionstamp.BYTES];
    Arrays.fill(most, (byte) 0xff);
    Key place = Key.wrap(template.filled(Versionstamp.of(readVersion, 0, 0)));
    Key end = Key.wrap(template.filled(Versionstamp.fromBytes(most))).next();
    KeyRange possible = KeyRange.of(place, end.compareTo(Key.END) < 0 ? end : Key.END);
    pending.add(new Pending(key, value.clone(), place, possible));
  }

  /** Notes a clear of {@code range}. */
  void clear(KeyRange range) {
    for (Pending set : List.copyOf(pending)) {
      boolean all =
          range.begin().compareTo(set.possible().begin()) <= 0
              && range.end().compareTo(set.possible().end()) >= 0;
      disturbed |= range.intersects(set.possible()) && !all;
      if (range.contains(set.place())) {
        pending.remove(set);
        cleared.add(set);
      }
    }
  }

  /** Makes {@code engine} commit what the client of a cluster would send. */
  void send(Transaction engine) {
    if (!disturbed) {
      return;
    }
    for (Pending set : cleared) {
      if (set.isApart()) {
        engine.nextWriteWithoutConflict();
        engine.clear(set.possible());
      }
    }
    pending.forEach(
        set -> engine.mutate(MutationType.SET_VERSIONSTAMPED_KEY, set.key(), set.value()));
  }
}
