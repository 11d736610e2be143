package dev.tidemark.changes;

import dev.tidemark.changes.internal.records.LogListener;
import dev.tidemark.changes.internal.records.OverCursor;
import dev.tidemark.changes.internal.records.PrefixedCursor;
import dev.tidemark.kv.Database;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.changes.ChangePosition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One stream of each of several record spaces of a database, as one source: one reader follows the
 * stores of many tenants, with one position in the order of all their commits.
 *
 * <p>A reader that is started with more tenants than before reads the new ones from where the run
 * began. It leaves the partitions of tenants that it does not know to other processes, until {@link
 * #withoutFormer} says that they are gone.
 *
 * <p>The tenants share one listener with 100 watches. Tenants that are being written to get the
 * watches; the others are polled together, ten times a second while there are few of them, and less
 * often when a poll takes longer.
 */
public final class TenantChangeSource implements ChangeSource {
  private static final char SEPARATOR = '/';

  /** Watches of all tenants together, of the 10,000 that the clients of a server share. */
  private static final int WATCHES_MAX = 100;

  private final TreeMap<String, RecordChangeSource> tenants = new TreeMap<>();
  private final Set<String> former;
  private final String stream;
  private final RecordChangeSource any;

  private TenantChangeSource(
      Map<String, RecordChangeSource> tenants, Set<String> former, String stream) {
    this.tenants.putAll(tenants);
    this.former = Set.copyOf(former);
    this.stream = stream;
    this.any = this.tenants.firstEntry().getValue();
  }

  /**
   * The stream {@code stream} of each space, by the name of the tenant.
   *
   * @throws IllegalArgumentException if there is no tenant, a name is blank or has a slash, or the
   *     spaces lie in several databases, whose positions cannot be compared
   * @throws dev.tidemark.records.changes.ChangeLogException if a space has no such stream
   */
  public static TenantChangeSource of(Map<String, RecordSpace> spaces, String stream) {
    Set<Database> databases = new HashSet<>();
    spaces.values().forEach(space -> databases.add(space.database()));
    if (databases.isEmpty()) {
      throw new IllegalArgumentException("There is no tenant; a source needs one at least");
    }
    if (databases.size() > 1) {
      throw new IllegalArgumentException(
          "The tenants lie in %d databases, and positions of several cannot be compared; use a source for each"
              .formatted(databases.size()));
    }
    Database database = databases.iterator().next();
    LogListener listener = new LogListener(database, WATCHES_MAX);
    AtomicLong tickedNanos = new AtomicLong(database.time().nanos());
    Map<String, RecordChangeSource> tenants = new TreeMap<>();
    spaces.forEach(
        (name, space) ->
            tenants.put(
                checked(name), RecordChangeSource.of(space, stream, listener, tickedNanos)));
    return new TenantChangeSource(tenants, Set.of(), stream);
  }

  private static String checked(String name) {
    if (name.isBlank() || name.indexOf(SEPARATOR) >= 0) {
      throw new IllegalArgumentException(
          "'%s' is no name of a tenant; it needs a character and must not have a slash"
              .formatted(name));
    }
    return name;
  }

  /**
   * The same source without the former tenants {@code names}: changes of them that a run has not
   * read are skipped, and no longer hold its watermark back.
   *
   * @throws IllegalArgumentException if one of them still is a tenant
   */
  public TenantChangeSource withoutFormer(Collection<String> names) {
    names.stream()
        .filter(tenants::containsKey)
        .findFirst()
        .ifPresent(
            name -> {
              throw new IllegalArgumentException("'" + name + "' is a tenant, and a former one");
            });
    return new TenantChangeSource(tenants, Set.copyOf(names), stream);
  }

  /** The tenant that a partition belongs to, such as the one of a delivery or a batch. */
  public static String tenantOf(String token) {
    int end = token.indexOf(SEPARATOR);
    if (end < 0) {
      throw new IllegalArgumentException(
          "'%s' is no partition of a source of tenants".formatted(token));
    }
    return token.substring(0, end);
  }

  private RecordChangeSource source(String tenant) {
    RecordChangeSource found = tenants.get(tenant);
    if (found == null) {
      throw new ChangeSourceException(
          ChangeSourceException.Kind.INVALID_ARGUMENT,
          "'%s' is none of the tenants of this source".formatted(tenant),
          null);
    }
    return found;
  }

  @Override
  public String id() {
    return "records of tenants/" + stream;
  }

  @Override
  public List<String> roots() {
    return tenants.keySet().stream().map(name -> name + SEPARATOR).toList();
  }

  @Override
  public String rootOf(String token) {
    return tenantOf(token) + SEPARATOR;
  }

  @Override
  public boolean reads(String token) {
    String tenant = tenantOf(token);
    return tenants.containsKey(tenant) || former.contains(tenant);
  }

  /** Before all changes: each tenant begins with the earliest that it keeps. */
  @Override
  public Position earliest() {
    return Position.of(ChangePosition.START.toByteArray());
  }

  @Override
  public Position now() {
    return any.now();
  }

  @Override
  public Position at(Instant time) {
    return any.at(time);
  }

  @Override
  public Position until(Instant time) {
    return any.until(time);
  }

  @Override
  public Instant timeOf(Position position) {
    return any.timeOf(position);
  }

  @Override
  public int compare(Position first, Position second) {
    return first.compareBytes(second);
  }

  @Override
  public void keep(String reader, Position position, Duration time) {
    tenants.values().forEach(source -> source.keep(reader, position, time));
  }

  @Override
  public Cursor open(Query query) {
    String tenant = tenantOf(query.token());
    if (former.contains(tenant)) {
      return new OverCursor(query.from(), timeOf(query.from()));
    }
    String root = tenant + SEPARATOR;
    String token = query.token().substring(root.length());
    RecordChangeSource source = source(tenant);
    Position from = token.equals(ROOT) ? source.firstFrom(query.from()) : query.from();
    return new PrefixedCursor(
        root, source.open(new Query(token, from, query.until(), query.heartbeat())));
  }
}
