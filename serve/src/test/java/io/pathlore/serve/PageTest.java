package io.pathlore.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageTest {
    private static final Path UI = Path.of("..", "ui");

    @Test
    void whatIsKeptOfThePageIsMadeOfItsSources() throws Exception {
        Process process = new ProcessBuilder(UI.resolve("build.sh").toString(), "--print").start();
        String now = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(now)
                .as("ui/prebuilt is stale: run ui/build.sh --keep and commit it")
                .isEqualTo(Files.readString(UI.resolve("prebuilt/SOURCES")));
    }

    @Test
    void everythingThePageNamesIsServed() throws Exception {
        List<String> paths = Page.routes().stream().map(Route::path).toList();
        assertThat(paths).containsExactlyInAnyOrder("/", "/icon.svg", "/assets/app.js", "/assets/app.css");
        String html = Files.readString(UI.resolve("prebuilt/index.html"));
        assertThat(html).contains("\"/assets/app.js\"", "\"/assets/app.css\"", "\"/icon.svg\"");
        // The policy of the server lets nothing else run.
        assertThat(html).doesNotContain("<style").doesNotContainPattern("<script[^>]*>[^<]");
    }
}
