package io.pathlore.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "pathlore",
        header = {
            "Pathlore reads In-band Network Telemetry: what switches report about the packets they forward.",
            "",
            "Examples:",
            "  pathlore demo                                 a living network, and what is collected",
            "  pathlore collect                              receive reports on UDP port 8555",
            "  pathlore decode reports.pcap                  one line per report",
            "  pathlore decode -v reports.pcap               every field of every report",
            "  pathlore decode -o json reports.pcap | jq .flow",
            "  tcpdump -i eth0 -U -w - udp port 8555 | pathlore decode -",
            "  pathlore check reports.pcap                   what the switches do wrong, by clause",
            "  pathlore analyse reports.pcap                 what happened: exporters, loss, flows",
            "  pathlore serve                                what a collector found, after it has stopped",
            "  pathlore replay reports.pcap --to 127.0.0.1:8555",
            "  pathlore export reports --since 5m --out reports.pcap",
            "  pathlore lab run link-failure --pcap reports.pcap",
            "  pathlore get exporters                        who sends, and what was lost",
            "  pathlore query 'SELECT * FROM events LIMIT 5' ask the tables in SQL",
            "  pathlore observe --filter dropped             live: what is dropped, where and why",
            "  pathlore explain drop-reason 80               what it means, and what to look at next",
            "  pathlore get flows --sort latency             which flows are slow",
            "  pathlore explain flow 63d04c9c1d4df139        and why",
            "  pathlore doctor                               why does nothing arrive?",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore COMMAND [OPTIONS]",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:runtime error: a file cannot be read, the disk is full",
            "2:wrong usage or configuration",
            "3:findings: check found violations, or decode --strict met a malformed report",
            "4:not authorised: the server wants a token, or another one",
            "5:no server answers"
        },
        footerHeading = "%n",
        footer = "'pathlore COMMAND --help' tells more about each.",
        versionProvider = Version.class,
        subcommands = {
            DemoCommand.class,
            CollectCommand.class,
            AnalyseCommand.class,
            ServeCommand.class,
            DecodeCommand.class,
            CheckCommand.class,
            ReplayCommand.class,
            ExportCommand.class,
            LabCommand.class,
            GetCommand.class,
            QueryCommand.class,
            ObserveCommand.class,
            ExplainCommand.class,
            MitigateCommand.class,
            DoctorCommand.class,
            TokenCommand.class,
            ConfigCommand.class,
            CompletionCommand.class,
            ManCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class
        })
final class PathloreCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli does
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    @SuppressWarnings("unused") // picocli does
    private boolean version;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "what should it do? Commands: demo, collect, analyse, serve, decode, check, replay, export, lab,"
                        + " get, query, observe, explain, doctor, token, config");
    }
}
