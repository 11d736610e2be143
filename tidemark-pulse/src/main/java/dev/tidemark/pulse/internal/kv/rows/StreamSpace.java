package dev.tidemark.pulse.internal.kv.rows;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.EventId;
import java.util.List;

/** Where the rows of one stream are. The bytes are in docs/formats/pulse-streams.md. */
public final class StreamSpace {
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

  public StreamSpace(Subspace all) {
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
  public KeyRange all() {
    return all.prefixRange();
  }

  /** Everything but the cursors of readers, who may wait for a stream that has not begun. */
  public List<KeyRange> allButCursors() {
    return List.of(
        KeyRange.of(all().begin(), all.pack(CURSORS)), KeyRange.of(all.pack(GROUPS), all().end()));
  }

  /** The keys of the rows that say what the stream shows. */
  List<Key> headKeys() {
    return headKeys;
  }

  public Key life() {
    return life;
  }

  public Key deadline() {
    return deadline;
  }

  public Key lengthMax() {
    return lengthMax;
  }

  /** How many events were ever added. Changes with every event, so readers wait for it. */
  public Key added() {
    return added;
  }

  /** How many of them are no longer stored. */
  public Key gone() {
    return gone;
  }

  /** The id up to which events have been trimmed; absent at first. */
  public Key trimmed() {
    return trimmed;
  }

  public KeyRange events() {
    return events.range();
  }

  public Key event(EventId id) {
    return events.pack(EventIds.stamp(id));
  }

  /** The key of the event with this number in its transaction, for a versionstamped set. */
  public Key newEvent(int number) {
    return number == 0 ? newEvent : packNewEvent(number);
  }

  private Key packNewEvent(int number) {
    return events.packWithVersionstamp(Tuple.of(Versionstamp.incomplete(number)));
  }

  public EventId eventId(Key key) {
    return EventIds.of(events.unpack(key).getVersionstamp(0));
  }

  public Key once(String key) {
    return all.pack(ONCE, key);
  }

  public Key onceDue(long micros, String key) {
    return all.pack(ONCE_DUE, micros, key);
  }

  /** The once-keys that are to be forgotten before {@code micros}. */
  public KeyRange onceDueBefore(long micros) {
    return KeyRange.of(all.range(Tuple.of(ONCE_DUE)).begin(), all.pack(ONCE_DUE, micros));
  }

  public String onceKeyOf(Key due) {
    return all.unpack(due).getString(2);
  }

  public Key cursor(String reader) {
    return all.pack(CURSORS, reader);
  }

  public Subspace group(String sink) {
    return all.sub(GROUPS, sink);
  }
}
