package io.pathlore.cli;

import io.pathlore.cli.client.AccessToken;
import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ServerAddress;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.config.Service;
import io.pathlore.serve.HttpOptions;
import io.pathlore.serve.access.TokenStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Which collector is asked, and with which token. */
final class ServerOptions {
    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "The collector to ask. Default: http://127.0.0.1:8080, or what the configuration says.")
    private @Nullable ServerAddress server;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token to show. Default: admin.token of the data directory, on this machine"
                    + " and if one is asked for.")
    private @Nullable Path tokenFile;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            description = "auto, always or never. Default: auto, which also heeds NO_COLOR.")
    private InputOptions.Color color = InputOptions.Color.AUTO;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli does
    private boolean help;

    Ink ink(Surroundings around) {
        return color.ink(around);
    }

    /** What nodes are called here. */
    Inventory inventory(Surroundings around) {
        return service.config(around).inventory();
    }

    Service service(Surroundings around) {
        return service.load(around);
    }

    ServerAddress address(Surroundings around) {
        // What somebody took the trouble to give is read, and found wrong, also where it would not be needed.
        return server != null && !service.given()
                ? server
                : address(service.load(around).http());
    }

    private ServerAddress address(HttpOptions http) {
        return server != null ? server : ServerAddress.of(http);
    }

    /** Whether somebody said which, so that no other will do. */
    boolean named() {
        return server != null;
    }

    ApiClient client(CommandSpec spec, Surroundings around) {
        return client(spec, around, ApiClient.Patience.DEFAULT);
    }

    ApiClient client(CommandSpec spec, Surroundings around, ApiClient.Patience patience) {
        ServerAddress address = address(around);
        AccessToken given = given(around);
        if (given != null && !address.tls() && !address.isLoopback()) {
            spec.commandLine()
                    .getErr()
                    .println("pathlore: the token goes to " + address + " in clear; with TLS it would not");
        }
        // The certificate of the configuration is that of the configured server, and of no other.
        HttpOptions.Tls tls = server == null ? service.load(around).http().tls() : null;
        return new ApiClient(
                address, given, () -> adminToken(address, around), tls == null ? null : tls.certificate(), patience);
    }

    private @Nullable AccessToken given(Surroundings around) {
        if (tokenFile == null) {
            return null;
        }
        try {
            return AccessToken.read(around.directory().resolve(tokenFile));
        } catch (AccessToken.Missing e) {
            throw new Failure("--token-file " + e.getMessage());
        }
    }

    /** That of this machine is for this machine. */
    private AccessToken adminToken(ServerAddress address, Surroundings around) throws AccessToken.Missing {
        if (!address.isThisMachine()) {
            throw new AccessToken.Missing("that of another machine is not looked for here");
        }
        return AccessToken.read(service.load(around).data().resolve(TokenStore.ADMIN_FILE));
    }
}
