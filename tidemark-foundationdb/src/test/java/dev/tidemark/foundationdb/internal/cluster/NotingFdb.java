package dev.tidemark.foundationdb.internal.cluster;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.NetworkOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for {@code com.apple.foundationdb.FDB} in a class loader of a test: it notes what it is
 * called for, and opens nothing.
 */
public final class NotingFdb {
  /** What was called, in order. */
  public static final List<String> CALLS = new ArrayList<>();

  private static @Nullable NotingFdb selected;

  private final int apiVersion;

  private NotingFdb(int apiVersion) {
    this.apiVersion = apiVersion;
  }

  public static boolean isAPIVersionSelected() {
    return selected != null;
  }

  public static NotingFdb selectAPIVersion(int version) {
    CALLS.add("select " + version);
    NotingFdb chosen = new NotingFdb(version);
    selected = chosen;
    return chosen;
  }

  public static NotingFdb instance() {
    NotingFdb chosen = selected;
    return chosen == null ? selectAPIVersion(0) : chosen;
  }

  public int getAPIVersion() {
    return apiVersion;
  }

  public NetworkOptions options() {
    return new NetworkOptions(
        (code, value) ->
            CALLS.add("option " + code + " " + new String(value, StandardCharsets.UTF_8)));
  }

  public void startNetwork() {
    CALLS.add("start");
  }

  public Database open() {
    return open("the default");
  }

  /** Refuses, so that nothing has to be closed. */
  public Database open(String clusterFile) {
    CALLS.add("open " + clusterFile);
    throw new FDBException("As injected", 1515);
  }
}
