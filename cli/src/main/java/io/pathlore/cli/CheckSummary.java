package io.pathlore.cli;

import java.util.Collection;

/** The end of {@code check}: per exporter, what it sends and which rules it breaks how often. */
final class CheckSummary {
    private final Output out;
    private final Ink ink;
    private final Text text = new Text();

    CheckSummary(Output out, Ink ink) {
        this.out = out;
        this.ink = ink;
    }

    void print(Collection<ExporterSummary> summaries, long shown, long leftOut) {
        text.clear();
        boolean anyFinding =
                summaries.stream().anyMatch(summary -> !summary.rules().isEmpty());
        for (ExporterSummary summary : summaries) {
            more(summary, shown);
        }
        if (anyFinding) {
            text.line();
        }
        for (ExporterSummary summary : summaries) {
            exporter(summary);
        }
        verdict(summaries);
        if (leftOut > 0) {
            grouped(leftOut).add(" left out by the filter").line();
        }
        out.write(text);
    }

    /** Findings that were counted and not shown. */
    private void more(ExporterSummary summary, long shown) {
        summary.rules().forEach((name, rule) -> {
            if (rule.count > shown) {
                text.add("… and ");
                grouped(rule.count - shown).add(" more ").add(name);
                text.add(" of ").add(summary.name()).line();
            }
        });
    }

    private void exporter(ExporterSummary summary) {
        text.ink(ink.strong()).add(summary.name()).ink(ink.end()).add(": ");
        amount(summary.reports(), summary.packets());
        if (!summary.forms().isEmpty()) {
            text.add(", version ").add(String.join(", ", summary.forms()));
        }
        String sequence = summary.sequence();
        if (!sequence.isEmpty()) {
            text.add(", sequence: ").add(sequence);
        }
        text.line();
        summary.rules().forEach((name, rule) -> {
            Finding first = rule.first;
            text.add("  ")
                    .ink(first.note() ? ink.faint() : ink.wrong())
                    .add(name)
                    .ink(ink.end());
            text.to(34).add(' ');
            grouped(rule.count).to(44).add(' ');
            text.add(first.note() ? "note: " : "")
                    .add(first.clause())
                    .add(": ")
                    .add(first.meaning())
                    .line();
        });
    }

    private void verdict(Collection<ExporterSummary> summaries) {
        long reports = 0;
        long packets = 0;
        long violations = 0;
        long exporters = 0;
        for (ExporterSummary summary : summaries) {
            reports += summary.reports();
            packets += summary.packets();
            violations += summary.violations();
            exporters += summary.isExporter() ? 1 : 0;
        }
        if (violations > 0) {
            grouped(violations).add(violations == 1 ? " violation in " : " violations in ");
        }
        amount(reports, packets);
        if (exporters > 0) {
            text.add(" of ");
            grouped(exporters).add(exporters == 1 ? " exporter" : " exporters");
        }
        if (violations == 0) {
            text.add(reports + packets == 1 ? " follows its spec" : " follow their specs");
        }
        text.line();
    }

    private void amount(long reports, long packets) {
        if (reports > 0 || packets == 0) {
            grouped(reports).add(reports == 1 ? " report" : " reports");
        }
        if (packets > 0) {
            text.add(reports > 0 ? " and " : "");
            grouped(packets).add(packets == 1 ? " packet" : " packets");
        }
    }

    /** Digits in groups of three. */
    private Text grouped(long number) {
        if (number >= 1000) {
            grouped(number / 1000).add(' ').decimal(number % 1000, 3);
        } else {
            text.decimal(number);
        }
        return text;
    }
}
