package dev.tidemark.pulse.internal.spi;

/**
 * An event to be added.
 *
 * @param name its name
 * @param topic its topic; empty for none
 * @param payload what it carries; nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
public record NewEvent(String name, String topic, byte[] payload) {}
