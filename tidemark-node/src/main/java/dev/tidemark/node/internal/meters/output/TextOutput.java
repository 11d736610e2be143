package dev.tidemark.node.internal.meters.output;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A run in sentences. */
public final class TextOutput implements DemoOutput {
  private final PrintStream out;
  private final LiveSummary summary;

  /**
   * Prints to {@code out}.
   *
   * @param inPlace whether somebody looks at a terminal, on which lines can be written again
   */
  public TextOutput(PrintStream out, boolean inPlace) {
    this.out = out;
    this.summary = new LiveSummary(out, inPlace);
  }

  @Override
  public void opened(Store store) {
    out.println(
        String.format(
            Locale.ROOT,
            "%,d smart meters publish their readings for %,d s; Ctrl-C ends that in good order",
            store.meters(),
            store.seconds()));
    summary.say("console    " + store.console() + " shows all of it live in a browser");
    summary.say("data       " + store.directory());
    if (store.earlier() > 0) {
      summary.say(
          String.format(
              Locale.ROOT,
              "           %,d readings from an earlier run, which goes on",
              store.earlier()));
    }
    summary.say("store      shared at " + store.address());
    summary.say(
        String.format(
            Locale.ROOT,
            "alerts     above %,d W; in another terminal you can change that:",
            store.threshold()));
    // Hardly indented: it fits 80 columns so, and can be copied.
    summary.say("  " + store.change());
  }

  @Override
  public void started(long worker, Path warehouse) {
    summary.say("stream     readings, some twice, some late, some broken");
    summary.say(
        String.format(
            Locale.ROOT,
            "workers    one here, one in process %d: check, save, raise alerts",
            worker));
    summary.say("           and acknowledge in one commit");
    summary.say("actors     two servers hold the state and daily energy of each meter");
    summary.say(
        "warehouse  %s, filled by the change stream of the records"
            .formatted(warehouse.getFileName()));
    summary.say("");
  }

  @Override
  public void happened(double seconds, String what) {
    summary.say(String.format(Locale.ROOT, "%4.0f s  %s", seconds, what));
  }

  @Override
  public void progressed(Moment moment) {
    String first =
        moment.draining()
            ? LiveSummary.bar(1) + " waiting until every layer has every reading"
            : String.format(
                Locale.ROOT,
                "%s %.0f of %d s, %,.0f readings a second",
                LiveSummary.bar(moment.seconds() / moment.total()),
                moment.seconds(),
                moment.total(),
                moment.rate());
    summary.show(List.of(first, moment.progress().layers(), moment.progress().town()));
  }

  @Override
  public void audited(String step) {
    summary.showInPlace(step);
  }

  @Override
  public void ended(Town town, AuditReport audit, boolean kept, Path directory) {
    summary.erase();
    summary.say("");
    for (Town.Area area : town.areas()) {
      summary.say(
          String.format(
              Locale.ROOT,
              "%-10s %,10d readings %,10d kWh %,8d W at most",
              area.name(),
              area.readings(),
              area.energy() / 1_000,
              area.peak()));
    }
    summary.say(
        String.format(
            Locale.ROOT,
            "messages: %,d came twice, %,d late, %,d broken; %,d alerts",
            town.again(),
            town.late(),
            town.broken(),
            town.alerts()));
    summary.say("");
    audit.checks().forEach(check -> check.lines().forEach(summary::say));
    summary.say("");
    summary.say(
        kept
            ? "The data stay in %s; the same command goes on with them".formatted(directory)
            : "The data are removed; --data DIRECTORY keeps them");
    out.println(audit.line());
    out.flush();
  }

  @Override
  public void stuck(Path directory) {
    summary.erase();
    out.println(
        "The demo did not end in time; its data are in %s, and --data %s goes on with them"
            .formatted(directory, directory));
    out.flush();
  }
}
