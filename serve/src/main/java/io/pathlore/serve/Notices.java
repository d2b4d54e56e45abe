package io.pathlore.serve;

/** Where the server tells its operator something: lines for the log. */
public interface Notices {
    void warn(String line);

    void error(String line);
}
