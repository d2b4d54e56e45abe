package io.pathlore.cli.config;

/** The user's configuration is wrong. The message is one line that names the place, the key and what is allowed. */
public final class ConfigException extends RuntimeException {
    public ConfigException(String message) {
        super(message);
    }
}
