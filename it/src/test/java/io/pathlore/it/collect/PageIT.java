package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** What a person sees: a real browser, a real collector, and what a known network told it. */
@EnabledOnOs(OS.LINUX)
@Timeout(240)
class PageIT {
    private static final Pattern REPORTS = Pattern.compile("\"reportsDecoded\":(\\d+)");

    @RegisterExtension
    static final LabPage lab = new LabPage();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    private final RunningCollector collector = lab.collector();
    private final Page page = lab.page();

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

    private List<WebElement> charts() {
        return page.browser().findElements(By.cssSelector("section.charts figure svg"));
    }

    private List<String> times(String end) {
        return charts().stream()
                .map(chart -> String.valueOf(chart.getDomAttribute("data-" + end)))
                .distinct()
                .toList();
    }

    @Test
    void draggingOnOneChartZoomsAllOfThem() throws Exception {
        page.open("#/v1/overview?since=1h");
        page.await(() -> page.shows("congestion"));
        WebElement chart = charts().getFirst();
        int width = chart.getSize().getWidth();
        int[] steps = {0};
        page.await(() -> {
            // What is drawn anew under a mouse that rests has to be told of it.
            new Actions(page.browser())
                    .moveToElement(chart, width / 4 - steps[0]++ % 2, 0)
                    .perform();
            return page.browser().findElements(By.cssSelector("line.cursor")).size() == charts().size();
        });
        page.await(() -> times("from").size() == 1); // all show the same time, once all have something to show
        new Actions(page.browser())
                .moveToElement(chart, width / 4, 0)
                .clickAndHold()
                .moveByOffset(width / 10, 0)
                .moveByOffset(width / 10, 0)
                .release()
                .perform();
        page.await(() -> page.url().contains("since=20") && page.url().contains("until=20"));
        Matcher chosen = Pattern.compile("since=([^&]+)&until=([^&]+)")
                .matcher(page.url().replace("%3A", ":"));
        assertThat(chosen.find()).isTrue();
        Instant since = Instant.parse(chosen.group(1));
        Instant until = Instant.parse(chosen.group(2));
        page.await(() ->
                times("from").equals(List.of(chosen.group(1))) && times("to").size() == 1);
        assertThat(Instant.parse(times("to").getFirst()))
                .isAfterOrEqualTo(until)
                .isBefore(until.plusSeconds(60));
        assertThat(since).isBefore(until);
        assertThat(page.text("header")).doesNotContain("live", "last 1h");
        page.picture("overview-zoomed");
        page.browser().navigate().back();
        page.await(() -> page.url().endsWith("since=1h") && page.text("header").contains("live"));
        page.assertQuiet();
    }

    @Test
    void eachBurstThatWasIsToldAndNoOther() throws Exception {
        List<Map<String, Object>> truth = lab.truth("congestion").stream()
                .filter(one -> one.containsKey("visibleAt"))
                .toList();
        assertThat(truth).isNotEmpty();
        page.open("#/v1/overview?since=1h&filter=kind%20%3D%20congestion");
        page.await(() -> page.text("#happened").contains(truth.size() + " event"));
        String told = page.text("table[aria-labelledby=happened]");
        for (Map<String, Object> one : truth) {
            assertThat(told)
                    .contains(String.format(
                            Locale.ROOT, "port %s queue %s, up to", one.get("interface"), one.get("queue")));
        }
        page.open("#/v1/queues?since=1h");
        List<Map<?, ?>> queues = lab.items("queues?since=1h");
        page.await(() -> page.browser()
                        .findElements(By.cssSelector("main table tbody tr.pick"))
                        .size()
                == queues.size());
        page.picture("queues");
        page.assertQuiet();
    }

    @Test
    void whatTheWireSaysIsOnlyText() throws Exception {
        byte[] words = "<script>owned=1</script><img src=x onerror=owned=1>".getBytes(StandardCharsets.UTF_8);
        long before = collector.api().ledger().get("datagramsRead");
        try (Sender sender = Sender.from("127.0.0.1")) {
            sender.send(collector.port(), words);
        }
        collector.untilRead(before + 1);
        page.open("#/v1/reports?since=1h");
        page.await(() -> page.has("main table td.bad"));
        page.click("main table td.bad");
        page.await(() -> page.has(".bytes [data-i]") && page.text(".bytes").contains("<script>"));
        page.picture("report-hostile");
        page.open("#/v1/%3Cimg%20src=x%20onerror=owned=1%3E?filter=%3Cscript%3Eowned=1%3C/script%3E");
        page.await(() -> page.shows("There is no view"));
        assertThat(page.browser().executeScript("return typeof owned")).isEqualTo("undefined");
        assertThat(page.has("main img, main script")).isFalse();
    }

    @Test
    void aReportIsOpenedWithTheWayOfItsPacket() throws Exception {
        String reports = collector.api().good("/api/v1/reports?since=1h&limit=1");
        String id = reports.replaceAll("(?s).*?\"id\":\"([0-9a-f]{16}-\\d+-\\d+)\".*", "$1");
        List<?> hops =
                (List<?>) Objects.requireNonNull(Json.object(collector.api().good("/api/v1/reports/" + id + "/packet"))
                        .get("hops"));
        assertThat(hops).hasSizeBetween(2, 3);
        page.open("#/v1/reports?since=1h&report=" + id);
        page.await(() -> page.has("ol[aria-label='The packet'] li"));
        assertThat(page.browser()
                        .executeScript("return document.querySelectorAll(\"[aria-label='The packet'] li\").length"))
                .isEqualTo((long) hops.size());
        assertThat(page.text("[aria-label='The packet']")).contains("node ").contains(" ns");
        page.picture("report-packet");
        page.assertQuiet();
    }

    @Test
    void whatIsOldIsGreyAndSaysSo() throws Exception {
        page.open("#/v1/overview?since=1h");
        page.await(() -> page.shows("congestion") && !page.has("main.stale"));
        collector.pause();
        try {
            page.await(() -> page.has("main.stale") && page.text("[role=alert]").contains("has not answered for"));
            page.picture("overview-stale");
        } finally {
            collector.resume();
        }
        page.await(() -> !page.has("main.stale") && !page.has("[role=alert]"));
    }

    /** The best of a few: other tests may want the processors too. */
    @Test
    void itPaintsWithinASecond() throws Exception {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            page.open("#/v1/overview?since=1h");
            page.await(() -> page.has(".strip"));
            page.await(() -> Boolean.TRUE.equals(page.browser()
                    .executeScript("return performance.getEntriesByName('first-contentful-paint').length > 0")));
            best = Math.min(
                    best,
                    ((Number)
                                    Objects.requireNonNull(
                                            page.browser()
                                                    .executeScript(
                                                            "return performance.getEntriesByName('first-contentful-paint')[0].startTime")))
                            .doubleValue());
        }
        assertThat(best).as("milliseconds").isLessThan(1_000);
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
