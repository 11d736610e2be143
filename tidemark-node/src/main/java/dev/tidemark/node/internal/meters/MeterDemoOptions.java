package dev.tidemark.node.internal.meters;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How the demo is run.
 *
 * @param time how long the meters publish
 * @param meters how many there are
 * @param rate how many readings a second they publish together, at most
 * @param consolePort where the console listens on this machine; 0 for a free port
 * @param data where the stores are kept; without it they are removed at the end
 */
public record MeterDemoOptions(
    Duration time, int meters, int rate, int consolePort, Optional<Path> data) {}
