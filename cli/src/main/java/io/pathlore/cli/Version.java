package io.pathlore.cli;

import picocli.CommandLine.IVersionProvider;

/** From the manifest of the jar. */
final class Version implements IVersionProvider {
    static String number() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    static String text() {
        return "pathlore " + number();
    }

    @Override
    public String[] getVersion() {
        return new String[] {text()};
    }
}
