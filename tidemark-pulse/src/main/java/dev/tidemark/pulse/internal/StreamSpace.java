package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Tuple;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.pulse.EventId;
import java.util.List;

/** Where the rows of one stream are. The bytes are in docs/formats/pulse-streams.md. */
final class StreamSpace {
  private static final int HEAD = 0;
  private static final int EVENTS = 1;
  private static final int ONCE = 2;
  private static final int ONCE_DUE = 3;
  private static final int CURSORS = 4;
  private static final int GROUPS = 5;

  private final Subspace all;
  private final Subspace events;
  private final List<Key> headKeys;
  private final Key life;
  private final Key deadline;
  private final Key lengthMax;
  private final Key added;
  private final Key gone;
  private final Key trimmed;
  private final Key newEvent;

  StreamSpace(Subspace all) {
    this.all = all;
    this.events = all.sub(EVENTS);
    this.life = all.pack(HEAD, 0);
    this.deadline = all.pack(HEAD, 1);
    this.lengthMax = all.pack(HEAD, 2);
    this.added = all.pack(HEAD, 3);
    this.gone = all.pack(HEAD, 4);
    this.trimmed = all.pack(HEAD, 5);
    this.newEvent = packNewEvent(0);
    this.headKeys = List.of(life, deadline, lengthMax, added, gone, trimmed);
  }

  /** Everything of the stream. */
  KeyRange all() {
    return all.prefixRange();
  }

  /** Everything but the cursors of readers, who may wait for a stream that has not begun. */
  List<KeyRange> allButCursors() {
    return List.of(
        KeyRange.of(all().begin(), all.pack(CURSORS)), KeyRange.of(all.pack(GROUPS), all().end()));
  }

  /** The keys of the rows that say what the stream shows. */
  List<Key> headKeys() {
    return headKeys;
  }

  Key life() {
    return life;
  }

  Key deadline() {
    return deadline;
  }

  Key lengthMax() {
    return lengthMax;
  }

  /** How many events were ever added. Changes with every event, so readers wait for it. */
  Key added() {
    return added;
  }

  /** How many of them are no longer stored. */
  Key gone() {
    return gone;
  }

  /** The id up to which events have been trimmed; absent at first. */
  Key trimmed() {
    return trimmed;
  }

  KeyRange events() {
    return events.range();
  }

  Key event(EventId id) {
    return events.pack(EventIds.stamp(id));
  }

  /** The key of the event with this number in its transaction, for a versionstamped set. */
  Key newEvent(int number) {
    return number == 0 ? newEvent : packNewEvent(number);
  }

  private Key packNewEvent(int number) {
    return events.packWithVersionstamp(Tuple.of(Versionstamp.incomplete(number)));
  }

  EventId eventId(Key key) {
    return EventIds.of(events.unpack(key).getVersionstamp(0));
  }

  Key once(String key) {
    return all.pack(ONCE, key);
  }

  Key onceDue(long micros, String key) {
    return all.pack(ONCE_DUE, micros, key);
  }

  /** The once-keys that are to be forgotten before {@code micros}. */
  KeyRange onceDueBefore(long micros) {
    return KeyRange.of(all.range(Tuple.of(ONCE_DUE)).begin(), all.pack(ONCE_DUE, micros));
  }

  String onceKeyOf(Key due) {
    return all.unpack(due).getString(2);
  }

  Key cursor(String reader) {
    return all.pack(CURSORS, reader);
  }

  Subspace group(String sink) {
    return all.sub(GROUPS, sink);
  }
}
