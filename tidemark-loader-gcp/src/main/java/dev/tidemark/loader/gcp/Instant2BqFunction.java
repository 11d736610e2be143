package dev.tidemark.loader.gcp;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.TimeBudget;
import dev.tidemark.loader.gcp.internal.Report;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP function that Cloud Scheduler calls every five minutes. A call is one run of {@link
 * Instant2Bq}; connections stay open for the next one. The answer is the report as JSON: 200 if the
 * run succeeded, 500 if it failed, 400 if a variable is missing or malformed.
 *
 * <p>A call while a run is under way is answered at once with 200 and {@code already running}: an
 * error would make the Scheduler try again.
 */
public final class Instant2BqFunction implements HttpFunction, AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.loader.gcp");

  private final Map<String, String> environment;
  private final TimeSource time;
  private final ReentrantLock running = new ReentrantLock();
  private volatile @Nullable Instant2Bq job;

  /** The function with the environment of the process, which ends its run when it is stopped. */
  public Instant2BqFunction() {
    this(System.getenv(), TimeSource.system());
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "instant2bq-stop"));
  }

  Instant2BqFunction(Map<String, String> environment, TimeSource time) {
    this.environment = environment;
    this.time = time;
  }

  @Override
  public void service(HttpRequest request, HttpResponse response) throws IOException {
    if (!running.tryLock()) {
      answer(
          response, 200, Report.of("already running", "another call runs; this one did nothing"));
      return;
    }
    try {
      run(response);
    } finally {
      running.unlock();
    }
  }

  private void run(HttpResponse response) throws IOException {
    long begin = time.nanos();
    try {
      Instant2BqSettings settings = Instant2BqSettings.of(environment);
      Instant2Bq opened = open(settings);
      LoadResult result = opened.load(left(settings.budget(), begin));
      answer(response, result.successful() ? 200 : 500, Report.of(result, opened.jobs()));
    } catch (IllegalArgumentException mistake) {
      answer(response, 400, Report.of("refused", String.valueOf(mistake.getMessage())));
    } catch (RuntimeException failure) {
      LOG.log(Level.ERROR, "instant2bq cannot run", failure);
      answer(response, 500, Report.of("failed", String.valueOf(failure.getMessage())));
    }
  }

  /** The platform counts the time of a call from its beginning, and so does the budget. */
  private TimeBudget left(TimeBudget budget, long begin) {
    Duration taken = Duration.ofNanos(time.nanos() - begin);
    Duration left = budget.total().minus(taken);
    if (left.compareTo(Instant2BqSettings.BUDGET_MIN) < 0) {
      throw new IllegalStateException(
          "Opening subscription and dataset took %s of the %s of this call; nothing was pulled, and the next call finds them open"
              .formatted(taken, budget.total()));
    }
    return TimeBudget.of(left);
  }

  private Instant2Bq open(Instant2BqSettings settings) {
    Instant2Bq current = job;
    if (current == null) {
      current = Instant2Bq.open(settings);
      job = current;
    }
    return current;
  }

  private static void answer(HttpResponse response, int status, String report) throws IOException {
    LOG.log(status == 200 ? Level.INFO : Level.ERROR, report);
    response.setStatusCode(status);
    response.setContentType("application/json; charset=utf-8");
    response.getWriter().write(report + "\n");
  }

  /** Ends the run under way, which gives back what it holds. */
  @Override
  public void close() {
    Instant2Bq current = job;
    if (current != null) {
      current.close();
    }
  }
}
