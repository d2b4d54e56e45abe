package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** {@code analyse --ui}: somebody's capture in a real browser, which shows what the command prints, of the capture's own time. */
@EnabledOnOs(OS.LINUX)
@Timeout(240)
class RecordingPageIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    @SuppressWarnings("NullAway.Init")
    private static JavaProcess program;

    @SuppressWarnings("NullAway.Init")
    private static Page page;

    @SuppressWarnings("NullAway.Init")
    private static Api api;

    private static Path scratch() {
        return temp.resolve("scratch");
    }

    private static JavaProcess run(String... arguments) throws IOException {
        return JavaProcess.start(
                temp,
                List.of("env", "TMPDIR=" + scratch()),
                RunningCollector.JVM,
                RunningCollector.MAIN,
                List.of(arguments));
    }

    @BeforeAll
    static void start() throws Exception {
        Files.createDirectory(scratch());
        JavaProcess.Ended lab = run("lab", "run", "microburst", "--duration=12s", "--pcap=lab.pcap")
                .await();
        assertThat(lab.status()).as(lab.err()).isZero();
        int port = RunningCollector.freeTcpPort();
        program = run("analyse", "--ui", "--http-port=" + port, "-o", "json", "lab.pcap");
        RunningCollector.until("the page", () -> program.errors().contains("open http://127.0.0.1:" + port + "/"));
        page = new Page(port);
        api = new Api(port);
    }

    @AfterAll
    static void stop() {
        if (page != null) {
            page.close();
        }
        if (program != null) {
            program.process().destroyForcibly();
        }
    }

    private static Map<?, ?> printed() throws IOException {
        return Json.object(Files.readString(program.out()));
    }

    private static String reports() throws IOException {
        Map<?, ?> ledger = (Map<?, ?>) Objects.requireNonNull(printed().get("ledger"));
        return String.format(
                Locale.ROOT, "%,d", ((Number) Objects.requireNonNull(ledger.get("reportsDecoded"))).longValue());
    }

    private static int events() throws IOException {
        return ((List<?>) Objects.requireNonNull(printed().get("events"))).size();
    }

    @Test
    void itShowsWhatTheCommandPrints() throws Exception {
        String reports = reports();
        page.open("");
        page.await(() -> page.text("[data-field=reports]").equals(reports));
        page.await(() -> page.shows("queue 0, up to"));
        assertThat(page.text("header")).contains("recording lab.pcap").doesNotContain("live", "last 15m");
        assertThat(page.text("#happened")).contains(events() + " events");
        page.picture("recording");
        page.assertQuiet();
    }

    @Test
    void aPartOfItIsDrawnOut() throws Exception {
        String all = events() + " events";
        page.open("");
        page.await(() -> page.shows("queue 0, up to"));
        WebElement chart = page.find("section.charts canvas, section.charts svg");
        int width = chart.getSize().getWidth();
        new Actions(page.browser())
                .moveToElement(chart, -width / 5, 0)
                .clickAndHold()
                .moveByOffset(width / 10, 0)
                .moveByOffset(width / 10, 0)
                .release()
                .perform();
        page.await(() -> page.url().contains("since=") && page.url().contains("until="));
        page.await(() -> !page.text("#happened").contains(all)); // those of this part
        page.picture("recording-zoomed");
        page.click("button#range");
        page.await(() -> !page.url().contains("since="));
        page.assertQuiet();
    }

    @Test
    void pathsOfTwoTimesStandSideBySide() throws Exception {
        page.open("#/v1/network");
        page.await(() -> page.shows("Topology"));
        page.type("c");
        page.await(() -> page.url().contains("vs=period"));
        page.await(() -> page.shows("There is nothing to compare")); // nothing was recorded before the recording
        page.click("#vs option[value=this]");
        page.await(() -> page.url().contains(".."));
        page.await(() -> page.text("figure[data-compared]").contains("±0.0"));
        assertThat(page.text("figure[data-compared]")).doesNotContain("not taken", "+", "−");
        page.picture("paths-compared");
        page.type("c");
        page.await(() -> !page.url().contains("vs=") && !page.has("figure[data-compared]"));
        page.assertQuiet();
    }

    @Test
    void itsFlowsAreATableWithAnExplanationOfEach() throws Exception {
        List<?> flows = (List<?>) Objects.requireNonNull(
                Json.object(api.good("/api/v1/flows?limit=10000")).get("items"));
        assertThat(flows).hasSizeGreaterThan(1);
        page.open("#/v1/flows");
        page.await(() -> page.text("[data-field=flows]").equals(String.format(Locale.ROOT, "%,d", flows.size())));
        Map<?, ?> most = (Map<?, ?>) Objects.requireNonNull(flows.getFirst());
        long reports = ((Number) Objects.requireNonNull(most.get("reports"))).longValue();
        assertThat(page.text("[role=row][data-row='0']"))
                .contains(String.valueOf(most.get("source")), String.format(Locale.ROOT, "%,d", reports));
        assertThat(page.text("[role=grid] [role=row]")).doesNotContain("destination");
        page.browser().findElement(By.xpath("//main//button[text()='columns']")).click();
        page.browser()
                .findElement(By.xpath("//fieldset/label[contains(., 'destination')]"))
                .click();
        page.await(() -> page.url().contains("columns=")
                && page.text("[role=grid] [role=row]").contains("destination"));
        page.find("[role=row][data-row='0']").sendKeys(Keys.ARROW_DOWN, Keys.ARROW_UP);
        page.find("[role=row][data-row='0']").sendKeys(Keys.ENTER);
        page.await(() -> page.url().contains("flow=" + most.get("id")));
        String verdict = String.valueOf(Json.object(api.good("/api/v1/flows/" + most.get("id") + "/explain"))
                .get("verdict"));
        page.await(() -> page.text("aside").contains(verdict));
        page.picture("flows");
        page.find("#find").sendKeys(String.valueOf(most.get("id")));
        page.await(() -> page.text("[data-field=flows]").startsWith("1 of"));
        page.assertQuiet();
    }

    @Test
    void itsReportsAreThereOctetByOctet() throws Exception {
        page.open("#/v1/reports");
        page.await(() -> page.has("main table tbody tr"));
        page.browser()
                .findElements(By.cssSelector("main table tbody tr"))
                .getFirst()
                .click();
        page.await(() -> page.url().contains("report="));
        page.await(() -> page.has("[role=tree] [data-key]") && page.has(".bytes [data-i]"));
        page.assertQuiet();
        page.open("#/v1/attacks");
        page.await(() -> page.shows("No attack in this time"));
        page.assertQuiet();
    }

    /** The last thing: whoever ends it finds nothing of it, whatever state it was in. */
    @Test
    void nothingIsLeftBehind() throws Exception {
        JavaProcess other = run("analyse", "--ui", "--http-port=" + RunningCollector.freeTcpPort(), "lab.pcap");
        RunningCollector.until("the page", () -> other.errors().contains("open http://"));
        try (Stream<Path> kept = Files.list(scratch())) {
            assertThat(kept).hasSize(2);
        }
        other.process().destroy();
        assertThat(other.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(other.process().exitValue()).isZero();
        try (Stream<Path> kept = Files.list(scratch())) {
            assertThat(kept).hasSize(1);
        }
    }
}
