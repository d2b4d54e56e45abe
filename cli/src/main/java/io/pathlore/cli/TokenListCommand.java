package io.pathlore.cli;

import io.pathlore.cli.Table.Cell;
import io.pathlore.cli.Table.Column;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.access.Token;
import io.pathlore.serve.access.TokenStore;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        header = {
            "List the tokens there are: all that is known of them, which is not the tokens themselves.",
            "",
            "Examples:",
            "  pathlore token list",
            "  pathlore token list -o json | jq -r '.[] | select(.expired) | .name'",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore token list [OPTIONS]",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:fine", "1:the data directory cannot be read, or has no tokens", "2:wrong usage"})
final class TokenListCommand implements Callable<Integer> {
    private static final int TO_THE_SECOND = "2026-01-01T00:00:00".length();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table, json (one array), jsonl, csv. Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(names = "--no-header", description = "No line that names the columns (table, csv).")
    private boolean noHeader;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli does
    private boolean help;

    private final Surroundings around;
    private final Output out;

    TokenListCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        List<Token> tokens = new TokenFiles(service.load(around).data()).use(TokenStore::list);
        long now = TokenFiles.nowNanos();
        Text text = new Text();
        switch (format) {
            case TEXT, TABLE -> table(text, tokens, now);
            case JSON -> {
                text.add('[');
                String between = "\n";
                for (Token token : tokens) {
                    text.add(between).add(json(token, now));
                    between = ",\n";
                }
                text.add("\n]").line();
            }
            case JSONL -> tokens.forEach(token -> text.add(json(token, now)).line());
            case CSV -> csv(text, tokens, now);
        }
        out.write(text);
        return ExitCode.OK;
    }

    private void table(Text text, List<Token> tokens, long now) {
        Table table = new Table(List.of(
                new Column("NAME", false),
                new Column("ROLE", false),
                new Column("CREATED", false),
                new Column("EXPIRES", false)));
        for (Token token : tokens) {
            boolean expired = token.expired(now);
            String expires = token.expiresNanos() == Token.NEVER ? "never" : toTheSecond(token.expiresNanos());
            table.add(List.of(
                    Cell.of(token.name()),
                    Cell.of(token.role().text()),
                    Cell.of(toTheSecond(token.createdNanos())),
                    new Cell(expired ? expires + ", expired" : expires, expired)));
        }
        table.print(text, InputOptions.Color.AUTO.ink(around), !noHeader);
    }

    private static String toTheSecond(long nanos) {
        return TimeText.of(nanos).substring(0, TO_THE_SECOND) + "Z";
    }

    private static String json(Token token, long now) {
        JsonText json = new JsonText().open('{').name("name").value(token.name());
        json.name("role").value(token.role().text());
        json.name("created").value(TimeText.of(token.createdNanos()));
        if (token.expiresNanos() != Token.NEVER) {
            json.name("expires").value(TimeText.of(token.expiresNanos()));
        }
        return json.name("expired").value(token.expired(now)).close('}').toString();
    }

    private void csv(Text text, List<Token> tokens, long now) {
        if (!noHeader) {
            text.add("name,role,created,expires,expired").line();
        }
        for (Token token : tokens) {
            String expires = token.expiresNanos() == Token.NEVER ? "" : TimeText.of(token.expiresNanos());
            text.add(String.join(
                            ",",
                            token.name(),
                            token.role().text(),
                            TimeText.of(token.createdNanos()),
                            expires,
                            Boolean.toString(token.expired(now))))
                    .line();
        }
    }
}
