package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The views behind the first five: what they show is what the API says, and they can be used by anybody. */
@EnabledOnOs(OS.LINUX)
@Timeout(240)
class ViewsIT {
    @RegisterExtension
    static final LabPage lab = new LabPage();

    private final RunningCollector collector = lab.collector();
    private final Page page = lab.page();

    private static String number(Object number) {
        return String.format(Locale.ROOT, "%,d", ((Number) number).longValue());
    }

    private static Object of(Map<?, ?> item, String key) {
        return Objects.requireNonNull(item.get(key), key);
    }

    /** What was asked over the network may be told a little later. */
    private static <T> T good(Asking<T> asking) {
        try {
            return asking.ask();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Asking<T> {
        T ask() throws IOException;
    }

    private List<String> texts(String selector) {
        return page.browser().findElements(By.cssSelector(selector)).stream()
                .map(WebElement::getText)
                .toList();
    }

    @Test
    void exportersAreThoseWhoSentWithWhatTheyLost() throws Exception {
        page.open("#/v1/exporters?since=1h");
        List<Map<?, ?>> exporters = lab.items("exporters");
        assertThat(exporters).isNotEmpty();
        for (Map<?, ?> exporter : exporters) {
            String row = "tr[data-exporter='" + of(exporter, "address") + "'] ";
            page.await(() -> page.text(row + "[data-field=reports]").equals(number(of(exporter, "reports"))));
            assertThat(page.text(row + "[data-field=lost]"))
                    .as("unknown where it does not count")
                    .isEqualTo(exporter.containsKey("completeness") ? number(of(exporter, "lost")) : "–");
            // The clocks of the lab show the time of this machine, four times as fast: they run ahead of it.
            assertThat(((Number) of(exporter, "clockAheadNs")).longValue()).isPositive();
            assertThat(page.text(row + "[data-field=clock]")).matches("\\+[0-9.]+ (ms|s)");
        }
        assertThat(page.text("[data-field=binding]")).isEqualTo("learn");
        String first = String.valueOf(of(exporters.getFirst(), "address"));
        page.click("tr[data-exporter='" + first + "']");
        page.await(() -> page.url().contains("exporter=" + first));
        page.await(() -> page.has("article[data-exporter='" + first + "']"));
        page.picture("exporters");
        page.type(Keys.ESCAPE.toString());
        page.await(() -> !page.has("article[data-exporter]"));
        page.assertQuiet();
    }

    @Test
    void theHeatMapHasARowForEachHopAndZoomsWithTheRest() throws Exception {
        page.open("#/v1/latency?since=1h");
        int hops = ((List<?>) of(lab.get("heatmap?since=1h"), "items")).size();
        assertThat(hops).isGreaterThan(1);
        page.await(() -> page.has("canvas[data-rows='" + hops + "']"));
        page.picture("latency");
        WebElement canvas = page.find("main canvas");
        canvas.sendKeys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER);
        page.await(() -> page.url().contains("hop=") && page.has("section[data-hop] svg"));
        // From the first that was told of nearly to now: how long ago that was depends on what was looked at before.
        int width = canvas.getSize().getWidth();
        new Actions(page.browser())
                .moveToElement(page.find("main canvas"), 1 - width / 2, 0)
                .clickAndHold()
                .moveByOffset(width / 2, 0)
                .moveByOffset(width / 2 - 8, 0)
                .release()
                .perform();
        page.await(() -> page.url().contains("since=20") && page.url().contains("until=20"));
        page.await(() -> Objects.equals(
                page.find("main canvas").getDomAttribute("data-from"),
                page.find("section[data-hop] svg").getDomAttribute("data-from")));
        page.assertQuiet();
    }

    @Test
    void dropsAreCountedByReasonAndPlaceWithWhatToLookAt() throws Exception {
        Map<String, Object> truth = lab.truth("drops").getFirst();
        List<Map<?, ?>> drops = lab.items("drops?since=1h");
        assertThat(drops)
                .isNotEmpty()
                .allSatisfy(drop -> assertThat(of(drop, "node"))
                        .as("where the wrong rule is, and nowhere else")
                        .isEqualTo(truth.get("node")));
        Map<String, Long> byReason = new TreeMap<>();
        for (Map<?, ?> drop : drops) {
            byReason.merge(
                    String.valueOf(of(drop, "reasonName")), ((Number) of(drop, "reports")).longValue(), Long::sum);
        }
        page.open("#/v1/drops?since=1h");
        for (Map.Entry<String, Long> reason : byReason.entrySet()) {
            String row = "tr[data-reason='" + reason.getKey() + "'] ";
            page.await(() -> page.text(row + "[data-field=reports]").equals(number(reason.getValue())));
        }
        assertThat(page.text("#reasons"))
                .contains(number(byReason.values().stream()
                                .mapToLong(each -> each)
                                .sum()) + " reports of drops");
        assertThat(page.browser().findElements(By.cssSelector("tr[data-reason]")))
                .hasSize(byReason.size());

        String word = byReason.keySet().iterator().next();
        page.click("tr[data-reason='" + word + "']");
        page.await(() -> page.url().contains("reason=") && page.text("aside h2").startsWith(word));
        assertThat(texts("table[aria-labelledby=places] td:nth-child(4)"))
                .containsExactlyInAnyOrderElementsOf(drops.stream()
                        .filter(drop -> word.equals(drop.get("reasonName")))
                        .map(drop -> number(of(drop, "reports")))
                        .toList());
        assertThat(page.text("aside")).contains("What to look at next");
        page.await(() -> texts("aside li a .mono").stream().anyMatch(each -> each.contains(":443 tcp")));
        page.await(() -> page.text("aside").contains("What was told of drops"));
        page.picture("drops");
        page.browser().executeScript("document.documentElement.classList.add('dark')");
        page.picture("drops-dark");
        page.open("#/v1/drops?since=1h&filter=node%20%3D%201");
        page.await(() -> page.shows("No drop was reported in this time, with this filter"));
        page.assertQuiet();
    }

    @Test
    void theTailShowsWhatComesAndOnlyWhatMatches() throws Exception {
        page.open("#/v1/tail");
        page.await(() -> page.shows("Nothing arrives just now"));
        page.open("#/v1/tail?filter=exporter%20%3D%20127.0.0.2");
        page.await(() -> page.has("[data-field=rate]"));
        Supplier<String> rate = () -> page.text("[data-field=rate]");
        byte[] words = "not a report".getBytes(StandardCharsets.UTF_8); // so that no node is made up by it
        try (Sender one = Sender.from("127.0.0.2");
                Sender other = Sender.from("127.0.0.3")) {
            page.await(() -> {
                good(() -> {
                    one.send(collector.port(), words);
                    other.send(collector.port(), words);
                    return true;
                });
                return page.has("main table tbody tr") && rate.get().contains("/s in all");
            });
        }
        assertThat(page.text("main table tbody")).contains("127.0.0.2").doesNotContain("127.0.0.3");
        page.picture("tail");
        page.click("[data-act=pause]");
        page.await(() -> page.text("[data-act=pause]").equals("go on"));
        page.click("[data-act=pause]");
        page.click("main table tbody tr");
        page.await(() -> page.url().contains("#/v1/reports") && page.url().contains("report="));
        page.assertQuiet();
    }

    @Test
    void sqlIsAnsweredAndDrawnAndWhatIsWrongIsSaid() throws Exception {
        page.open("#/v1/sql");
        page.await(() -> page.has("#sql"));
        page.find("#sql").clear();
        page.find("#sql")
                .sendKeys(
                        "SELECT node, sum(reports) AS reports FROM hops_1s GROUP BY node ORDER BY node",
                        Keys.chord(Keys.CONTROL, Keys.ENTER));
        page.await(() -> page.url().contains("sql=SELECT"));
        String expected = collector.api().query("SELECT count(DISTINCT node) AS n FROM hops_1s");
        int rows = Integer.parseInt(expected.replaceAll("(?s).*\"n\":(\\d+).*", "$1"));
        page.await(() -> page.text("[data-field=rows]").startsWith(rows + " rows"));
        page.await(() -> page.has("figure[data-chart=bars]"));
        page.picture("sql");
        page.find("#sql").clear();
        page.find("#sql").sendKeys("DELETE FROM hops_1s", Keys.chord(Keys.CONTROL, Keys.ENTER));
        page.await(() -> page.has("[role=alert]"));
        page.open("#/v1/sql?sql=" + "SELECT%20time%2C%20sum(reports)%20AS%20r%20FROM%20hops_1s%20GROUP%20BY%20time");
        page.await(() -> page.has("figure[data-chart=lines]"));
        page.assertQuiet();
    }

    @Test
    void settingsSayWhereEachValueComesFromAndTheAuditIsWhole() throws Exception {
        page.browser().manage().deleteAllCookies();
        page.open("#/v1/settings?keys=own");
        page.await(() -> page.shows("store.memory") && page.shows("--set"));
        assertThat(page.text("main table")).contains("128MiB").doesNotContain("default");
        page.await(() -> page.text("[data-field=chain]").startsWith("The chain holds"));
        page.await(() -> page.has("#token"));
        assertThat(page.text("main")).contains("Only an admin sees who there is");
        page.find("#token").sendKeys("nonsense", Keys.ENTER);
        page.await(() -> page.shows("the token is not known"));
        page.find("#token").clear();
        page.find("#token").sendKeys(collector.adminToken(), Keys.ENTER);
        page.await(() -> page.has("[data-token=admin]"));
        page.picture("settings");
        page.click("[data-act=logout]");
        page.await(() -> page.has("#token"));
        assertThat(page.has("[data-token]")).isFalse();
    }

    @Test
    void aFilterIsKeptUnderAName() throws Exception {
        page.open("#/v1/overview?since=1h&filter=node%20%3D%202");
        page.await(() -> page.has("#filter"));
        page.browser().findElement(By.xpath("//header//button[text()='keep']")).click();
        page.await(() -> page.has("header input.name"));
        page.find("header input.name").sendKeys("<img src=x onerror=owned=1>", Keys.ENTER);
        page.await(() -> page.text("header").contains("kept"));
        page.open("#/v1/overview?since=1h");
        page.type("/");
        page.await(() -> page.has("#offers") && page.text("#offers").startsWith("node = 2"));
        assertThat(page.text("#offers")).as("a name is text").contains("<img src=x onerror=owned=1>");
        assertThat(page.browser().executeScript("return typeof owned")).isEqualTo("undefined");
        page.find("#filter").sendKeys(Keys.ARROW_DOWN, Keys.ENTER);
        page.await(() -> page.url().contains("filter=node"));
        page.browser().findElement(By.xpath("//header//button[text()='kept']")).click();
        assertThat(page.browser().executeScript("return localStorage.getItem('pathlore.filters')"))
                .isNull();
        page.assertQuiet();
    }

    @Test
    void eachViewHasAKeyAndTheListOfKeysTellsIt() throws Exception {
        page.open("#/v1/overview?since=1h");
        page.await(() -> page.shows("reports/s"));
        page.type("?");
        page.await(() -> page.text("dialog").contains("g e"));
        String keys = page.text("dialog");
        page.type(Keys.ESCAPE.toString());
        for (String view : List.of("l latency", "d drops", "f flows", "t tail", "e exporters", "s sql", "c settings")) {
            assertThat(keys).contains("g " + view.charAt(0)).contains(view.substring(2));
            page.browser().findElement(By.tagName("main")).click();
            page.type("g" + view.charAt(0));
            page.await(() -> page.url().contains("#/v1/" + view.substring(2)));
        }
        page.assertQuiet();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "overview",
                "network",
                "latency",
                "queues",
                "drops",
                "flows",
                "attacks",
                "reports",
                "tail",
                "exporters",
                "sql",
                "settings"
            })
    void nobodyIsShutOut(String view) throws Exception {
        page.open("#/v1/" + view + "?since=1h");
        page.await(() -> page.has("main h1, main h2") && !page.text("main").isBlank());
        assertThat(page.barriers()).isEmpty();
    }
}
