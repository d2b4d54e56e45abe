package io.pathlore.cli;

import picocli.CommandLine.IVersionProvider;

/** From the manifest of the jar. */
final class Version implements IVersionProvider {
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return "pathlore " + (version == null ? "(not packaged)" : version);
    }

    @Override
    public String[] getVersion() {
        return new String[] {text()};
    }
}
