package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.logging.Level;
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
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** What a person sees: a real browser, a real collector, and what a known network told it. Pictures are left in target/screenshots. */
@EnabledOnOs(OS.LINUX)
@Timeout(240)
class PageIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long POLL_NANOS = 50_000_000L;
    private static final Pattern REPORTS = Pattern.compile("\"reportsDecoded\":(\\d+)");
    private static final Path PICTURES = Path.of("target", "screenshots");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    @SuppressWarnings("NullAway.Init")
    private static RunningCollector collector;

    @SuppressWarnings("NullAway.Init")
    private static ChromeDriver browser;

    @BeforeAll
    static void start() throws Exception {
        Path driver = Path.of("/usr/bin/chromedriver");
        assertThat(driver)
                .as("the Debian packages chromium and chromium-driver")
                .exists();
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
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions().setBinary("/usr/bin/chromium");
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars");
        options.setCapability("goog:loggingPrefs", logs);
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(driver.toFile())
                        .build(),
                options);
        browser.manage().window().setSize(new Dimension(1440, 900));
        Files.createDirectories(PICTURES);
    }

    @AfterAll
    static void stop() throws Exception {
        if (browser != null) {
            browser.quit();
        }
        if (collector != null) {
            collector.close();
        }
    }

    private static void open(String hash) {
        browser.get("about:blank");
        browser.manage().logs().get(LogType.BROWSER); // of the test before
        browser.get("http://127.0.0.1:" + collector.httpPort() + "/" + hash);
    }

    private static String text(String selector) {
        return browser.findElement(By.cssSelector(selector)).getText();
    }

    private static void await(Predicate<WebDriver> condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!holds(condition)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not seen; the page is " + browser.getCurrentUrl() + ": " + text("body"));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** What is being drawn anew may be gone between two looks at it. */
    private static boolean holds(Predicate<WebDriver> condition) {
        try {
            return condition.test(browser);
        } catch (NoSuchElementException | StaleElementReferenceException e) {
            return false;
        }
    }

    private static boolean shows(String part) {
        return text("main").contains(part);
    }

    private static void type(String keys) {
        browser.findElement(By.tagName("body")).sendKeys(keys);
    }

    private static void picture(String name) throws Exception {
        Files.write(PICTURES.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    /** Nothing on the console, nothing asked of anybody else. */
    private static void quiet() {
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .filteredOn(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .isEmpty();
        String own = "http://127.0.0.1:" + collector.httpPort() + "/";
        assertThat((List<?>)
                        browser.executeScript("return performance.getEntriesByType('resource').map((one) => one.name)"))
                .allSatisfy(name -> assertThat(String.valueOf(name)).startsWith(own));
    }

    @Test
    void theOverviewSaysWhatTheLedgerSays() throws Exception {
        Matcher ledger = REPORTS.matcher(collector.api().good("/api/v1/ledger"));
        assertThat(ledger.find()).isTrue();
        long reports = Long.parseLong(ledger.group(1));
        assertThat(reports).isGreaterThan(1_000);
        open("#/v1/overview?since=1h");
        await(driver -> text("[data-field=reports]").equals(String.format(Locale.ROOT, "%,d", reports)));
        await(driver -> shows("congestion"));
        await(driver -> shows("queue 0, up to"));
        picture("overview");
        quiet();
    }

    @Test
    void aLinkShowsAColleagueTheSame() throws Exception {
        open("#/v1/overview?since=1h&filter=node%20%3D%202");
        await(driver -> "node = 2".equals(browser.findElement(By.id("filter")).getDomProperty("value")));
        browser.findElement(By.id("filter")).sendKeys(" and nonsense", Keys.ENTER);
        await(driver -> text("header").contains("nonsense"));
        assertThat(browser.getCurrentUrl()).endsWith("filter=node%20%3D%202");
    }

    @Test
    void itCanBeUsedWithoutAMouse() throws Exception {
        open("#/v1/overview");
        await(driver -> shows("reports/s"));
        type("?");
        await(driver -> browser.findElement(By.tagName("dialog")).isDisplayed());
        type(Keys.ESCAPE.toString());
        type("gn");
        await(driver -> browser.getCurrentUrl().contains("#/v1/network"));
        browser.navigate().back();
        await(driver -> browser.getCurrentUrl().contains("#/v1/overview"));
        type("d"); // as the system, light, dark
        type("d");
        await(driver -> "rgb(14, 20, 32)"
                .equals(browser.executeScript("return getComputedStyle(document.body).backgroundColor")));
        await(driver -> shows("congestion"));
        picture("overview-dark");
        type("d");
        type("/");
        assertThat(browser.switchTo().activeElement().getDomProperty("id")).isEqualTo("filter");
        quiet();
    }

    @Test
    void theNetworkIsDrawnFromWhatWasReported() throws Exception {
        open("#/v1/network?since=1h");
        await(driver -> shows("Topology 6 nodes"));
        await(driver -> shows("What stands out"));
        picture("network");
        // The picture is a canvas: the keys lead through it, and say where they are.
        browser.findElement(By.cssSelector("canvas[tabindex], [role=application], canvas"));
        open("#/v1/network?since=1h&node=1");
        await(driver -> shows("node 1"));
        quiet();
    }

    @Test
    void aBurstIsPlayedAgain() throws Exception {
        open("#/v1/overview?since=1h");
        await(driver ->
                !browser.findElements(By.partialLinkText("queue 0, up to")).isEmpty());
        browser.findElement(By.partialLinkText("queue 0, up to")).click();
        await(driver -> browser.getCurrentUrl().contains("burst="));
        await(driver -> browser.findElement(By.cssSelector("section.replay")).isDisplayed());
        picture("replay");
        String link = browser.getCurrentUrl();
        browser.get("about:blank");
        browser.get(link);
        await(driver -> browser.findElement(By.cssSelector("section.replay")).isDisplayed());
        quiet();
    }

    @Test
    void nothingIsShownAsNothing() throws Exception {
        try (RunningCollector other =
                Setup.in(Files.createDirectory(temp.resolve("empty"))).small().start()) {
            browser.get("http://127.0.0.1:" + other.httpPort() + "/");
            await(driver -> shows("Nothing has arrived yet"));
            assertThat(text("main")).contains("pathlore lab run demo --to 127.0.0.1:" + other.port());
            picture("empty");
        }
    }
}
