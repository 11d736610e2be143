/**
 * Draws charts from results that stand in docs/benchmarks.md. What comes in is the text of that
 * page, what goes out are pictures in SVG below docs/images. Nothing is measured here. {@link
 * dev.tidemark.bench.chart.Charts} is called by whoever has written new results into the page.
 */
@NullMarked
package dev.tidemark.bench.chart;

import org.jspecify.annotations.NullMarked;
