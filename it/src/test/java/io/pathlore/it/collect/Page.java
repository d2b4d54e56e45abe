package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The page of a collector, in a real browser. Pictures are left in target/screenshots. */
final class Page implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long POLL_NANOS = 50_000_000L;
    private static final Path PICTURES = Path.of("target", "screenshots");

    private final String address;
    private final ChromeDriver browser;

    Page(int httpPort) throws IOException {
        address = "http://127.0.0.1:" + httpPort + "/";
        Path driver = Path.of("/usr/bin/chromedriver");
        assertThat(driver)
                .as("the Debian packages chromium and chromium-driver")
                .exists();
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

    ChromeDriver browser() {
        return browser;
    }

    /** As if somebody had typed it in: nothing of the page before is left but what the tab remembers. */
    void open(String hash) {
        browser.get("about:blank");
        browser.manage().logs().get(LogType.BROWSER); // of the test before
        browser.get(address + hash);
    }

    String url() {
        return String.valueOf(browser.getCurrentUrl());
    }

    WebElement find(String selector) {
        return browser.findElement(By.cssSelector(selector));
    }

    boolean has(String selector) {
        return !browser.findElements(By.cssSelector(selector)).isEmpty();
    }

    String text(String selector) {
        return find(selector).getText();
    }

    boolean shows(String part) {
        return text("main").contains(part);
    }

    /** Where it can be clicked. */
    void click(String selector) {
        await(() -> find(selector).isEnabled());
        browser.executeScript("arguments[0].scrollIntoView({block: 'center'})", find(selector));
        find(selector).click();
    }

    void type(String keys) {
        browser.findElement(By.tagName("body")).sendKeys(keys);
    }

    void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!holds(condition)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not seen; the page is " + url() + ": " + text("body"));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** What is being drawn anew may be gone between two looks at it. */
    private static boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (NoSuchElementException | StaleElementReferenceException e) {
            return false;
        }
    }

    void picture(String name) throws IOException {
        Files.write(PICTURES.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    /** Nothing on the console, nothing asked of anybody else. */
    void assertQuiet() {
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .filteredOn(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .isEmpty();
        assertThat((List<?>)
                        browser.executeScript("return performance.getEntriesByType('resource').map((one) => one.name)"))
                .allSatisfy(name -> assertThat(String.valueOf(name)).startsWith(address));
    }

    /** What a proxy adds: whoever asks through one is not on this machine, as far as the collector can tell. */
    void comesFromElsewhere(boolean elsewhere) {
        browser.executeCdpCommand("Network.enable", Map.of());
        browser.executeCdpCommand(
                "Network.setExtraHTTPHeaders",
                Map.of("headers", elsewhere ? Map.of("X-Forwarded-For", "192.0.2.7") : Map.of()));
    }

    /** What shuts somebody out, by the rules of WCAG 2.1 A and AA, in light and dark. */
    List<String> barriers() throws IOException {
        List<String> found = new ArrayList<>();
        try (InputStream in = Page.class.getResourceAsStream("/axe.min.js")) {
            browser.executeScript(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        }
        for (boolean dark : List.of(false, true)) {
            browser.executeScript("document.documentElement.classList.toggle('dark', arguments[0])", dark);
            List<?> here = (List<?>) Objects.requireNonNull(browser.executeAsyncScript("""
                    const done = arguments[arguments.length - 1];
                    axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}).then((result) =>
                      done(result.violations.filter((one) => ['serious', 'critical'].includes(one.impact))
                        .map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.html + ' ' + node.failureSummary).join(' | '))));
                    """));
            here.forEach(each -> found.add((dark ? "dark " : "light ") + each));
        }
        browser.executeScript("document.documentElement.classList.remove('dark')");
        return found;
    }

    @Override
    public void close() {
        browser.quit();
    }
}
