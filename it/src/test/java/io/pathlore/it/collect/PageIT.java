package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** What a person sees: a real browser, a real collector, and what a known network told it. */
@EnabledOnOs(OS.LINUX)
@Timeout(240)
class PageIT {
    private static final Pattern REPORTS = Pattern.compile("\"reportsDecoded\":(\\d+)");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    @SuppressWarnings("NullAway.Init")
    private static RunningCollector collector;

    @SuppressWarnings("NullAway.Init")
    private static Page page;

    @BeforeAll
    static void start() throws Exception {
        collector = Setup.in(temp).set("store.memory=128MiB", "memory=128MiB").start();
        JavaProcess lab = JavaProcess.start(
                temp,
                List.of(),
                RunningCollector.JVM,
                RunningCollector.MAIN,
                List.of(
                        "lab",
                        "run",
                        "microburst",
                        "--duration=12s",
                        "--speed=4",
                        "--to=127.0.0.1:" + collector.port()));
        JavaProcess.Ended ended = lab.await();
        assertThat(ended.status()).as(ended.err()).isZero();
        page = new Page(collector.httpPort());
    }

    @AfterAll
    static void stop() throws Exception {
        if (page != null) {
            page.close();
        }
        if (collector != null) {
            collector.close();
        }
    }

    @Test
    void theOverviewSaysWhatTheLedgerSays() throws Exception {
        Matcher ledger = REPORTS.matcher(collector.api().good("/api/v1/ledger"));
        assertThat(ledger.find()).isTrue();
        long reports = Long.parseLong(ledger.group(1));
        assertThat(reports).isGreaterThan(1_000);
        page.open("#/v1/overview?since=1h");
        page.await(() -> page.text("[data-field=reports]").equals(String.format(Locale.ROOT, "%,d", reports)));
        page.await(() -> page.shows("congestion"));
        page.await(() -> page.shows("queue 0, up to"));
        page.picture("overview");
        page.assertQuiet();
    }

    @Test
    void aLinkShowsAColleagueTheSame() throws Exception {
        page.open("#/v1/overview?since=1h&filter=node%20%3D%202");
        page.await(() ->
                "node = 2".equals(page.browser().findElement(By.id("filter")).getDomProperty("value")));
        page.browser().findElement(By.id("filter")).sendKeys(" and nonsense", Keys.ENTER);
        page.await(() -> page.text("header").contains("nonsense"));
        assertThat(page.url()).endsWith("filter=node%20%3D%202");
    }

    @Test
    void itCanBeUsedWithoutAMouse() throws Exception {
        page.open("#/v1/overview");
        page.await(() -> page.shows("reports/s"));
        page.type("?");
        page.await(() -> page.browser().findElement(By.tagName("dialog")).isDisplayed());
        page.type(Keys.ESCAPE.toString());
        page.type("gn");
        page.await(() -> page.url().contains("#/v1/network"));
        page.browser().navigate().back();
        page.await(() -> page.url().contains("#/v1/overview"));
        page.type("d"); // as the system, light, dark
        page.type("d");
        page.await(() -> "rgb(14, 20, 32)"
                .equals(page.browser().executeScript("return getComputedStyle(document.body).backgroundColor")));
        page.await(() -> page.shows("congestion"));
        page.picture("overview-dark");
        page.type("d");
        page.type("/");
        assertThat(page.browser().switchTo().activeElement().getDomProperty("id"))
                .isEqualTo("filter");
        page.assertQuiet();
    }

    @Test
    void theNetworkIsDrawnFromWhatWasReported() throws Exception {
        page.open("#/v1/network?since=1h");
        page.await(() -> page.shows("Topology 6 nodes"));
        page.await(() -> page.shows("What stands out"));
        page.picture("network");
        // The picture is a canvas: the keys lead through it, and say where they are.
        page.browser().findElement(By.cssSelector("canvas[tabindex], [role=application], canvas"));
        page.open("#/v1/network?since=1h&node=1");
        page.await(() -> page.shows("node 1"));
        page.assertQuiet();
    }

    @Test
    void aBurstIsPlayedAgain() throws Exception {
        page.open("#/v1/overview?since=1h");
        page.await(() -> !page.browser()
                .findElements(By.partialLinkText("queue 0, up to"))
                .isEmpty());
        page.browser().findElement(By.partialLinkText("queue 0, up to")).click();
        page.await(() -> page.url().contains("burst="));
        page.await(() ->
                page.browser().findElement(By.cssSelector("section.replay")).isDisplayed());
        page.picture("replay");
        String link = page.url();
        page.browser().get("about:blank");
        page.browser().get(link);
        page.await(() ->
                page.browser().findElement(By.cssSelector("section.replay")).isDisplayed());
        page.assertQuiet();
    }

    @Test
    void nothingIsShownAsNothing() throws Exception {
        try (RunningCollector other =
                Setup.in(Files.createDirectory(temp.resolve("empty"))).small().start()) {
            page.browser().get("http://127.0.0.1:" + other.httpPort() + "/");
            page.await(() -> page.shows("Nothing has arrived yet"));
            assertThat(page.text("main")).contains("pathlore lab run demo --to 127.0.0.1:" + other.port());
            page.picture("empty");
            page.browser().get("http://127.0.0.1:" + other.httpPort() + "/#/v1/attacks");
            page.await(() -> page.shows("No attack in this time"));
            assertThat(page.text("[data-field=mode]")).isEqualTo("observe");
            assertThat(page.text("main")).contains("defend.mode: propose", "pathlore lab run ddos-udp-flood --to ");
            page.picture("empty-attacks");
        }
    }
}
