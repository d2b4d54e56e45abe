package io.pathlore.ingest.kafka;

import org.apache.kafka.common.KafkaException;

/**
 * A broker refuses, or none answers. What was sent may not have arrived: it has to be sent again from the first that was not acknowledged.
 */
public final class BrokerException extends Exception {
    BrokerException(String message, Throwable cause) {
        super(message, cause);
    }

    BrokerException(Exception cause) {
        this(why(cause), cause);
    }

    /** What lies behind it says more where the client only wraps it. */
    private static String why(Exception e) {
        Throwable cause = e.getCause();
        return String.valueOf(
                cause instanceof KafkaException && cause.getMessage() != null ? cause.getMessage() : e.getMessage());
    }
}
