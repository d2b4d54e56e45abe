package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/**
 * An attack as an operator meets it: a real browser, a real collector, and a network in which four cameras flood a server, with a
 * controller that blocks whom it is told to. The attack lasts longer than the tests, and what one of them withdraws is proposed again.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(240)
class AttackPageIT {
    /** Names are text, whatever is in them. */
    private static final String SWITCH = "<img src=x onerror=owned=1><script>owned=1</script>";

    /** Or formulas, for those who open a table elsewhere. */
    private static final String CORE = "=HYPERLINK(1)";

    private static final String FLOOD = """
            description: four cameras that do not stop
            duration: 600s
            topology: { kind: access, aggregations: 2, homes-per-aggregation: 4, devices-per-home: 4, internet-hosts: 1 }
            telemetry:
              dialect: transparent-security
              watch: [{ name: sampled, sampling: 10 }]
            traffic:
              - { kind: udp-flood, from: "camera:4", to: internet-1, rate: 4kpps, start: 1s, duration: 590s }
            """;
    private static final Pattern REFUSED =
            Pattern.compile("(?m)^pathlore_http_requests_total\\{[^}]*status=\"403\"[^}]*} (\\d+)$");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    @SuppressWarnings("NullAway.Init")
    private static RunningCollector collector;

    @SuppressWarnings("NullAway.Init")
    private static JavaProcess lab;

    @SuppressWarnings("NullAway.Init")
    private static Page page;

    @BeforeAll
    static void start() throws Exception {
        int controller = RunningCollector.freeTcpPort();
        Setup setup = Setup.in(temp).small();
        String configuration = String.format(Locale.ROOT, """
                listen: { ports: [%d] }
                decode:
                  int: { udp-ports: [555] }
                  domains: { 0x5453: [{ bit: 0, words: 2, source-only: true, name: device }] }
                inventory:
                  - { node: 1, name: "%s", addresses: [127.255.0.1], profile: transparent-security, sampling: 10 }
                  - { node: 2, name: "%s", addresses: [127.255.0.2], profile: transparent-security, sampling: 10 }
                defend:
                  mode: propose
                  profile: transparent-security
                  enforcers: [{ name: controller, kind: transparent-security, url: "http://127.0.0.1:%d" }]
                """, setup.port(), CORE, SWITCH, controller);
        Path file = Files.writeString(temp.resolve("pathlore.yaml"), configuration);
        collector = setup.with("--config", file.toString()).start();
        Path flood = Files.writeString(temp.resolve("flood.yaml"), FLOOD);
        lab = JavaProcess.start(
                temp,
                List.of(),
                RunningCollector.JVM,
                RunningCollector.MAIN,
                List.of(
                        "lab",
                        "run",
                        flood.toString(),
                        "--speed=2",
                        "--to=127.0.0.1:" + collector.port(),
                        "--controller=127.0.0.1:" + controller));
        page = new Page(collector.httpPort());
    }

    @AfterAll
    static void stop() {
        if (page != null) {
            page.close();
        }
        if (lab != null) {
            lab.process().destroyForcibly();
        }
        if (collector != null) {
            collector.close();
        }
    }

    // What the API says.

    private static List<?> items(String path) throws IOException {
        return (List<?>)
                Objects.requireNonNull(Json.object(collector.api().good(path)).get("items"));
    }

    private static Map<?, ?> attack() throws IOException {
        return (Map<?, ?>) Objects.requireNonNull(items("/api/v1/attacks").getFirst());
    }

    /** The youngest rule against a device. */
    private static @Nullable Map<?, ?> rule(String device) throws IOException {
        Map<?, ?> found = null;
        for (Object item : items("/api/v1/mitigations")) {
            Map<?, ?> rule = (Map<?, ?>) Objects.requireNonNull(item);
            if (rule.get("match") instanceof Map<?, ?> match && device.equals(match.get("device"))) {
                found = rule;
            }
        }
        return found;
    }

    private static Map<?, ?> proposed(String device) throws IOException {
        RunningCollector.until("a rule against " + device, () -> {
            Map<?, ?> rule = rule(device);
            return rule != null && "proposed".equals(rule.get("state"));
        });
        return Objects.requireNonNull(rule(device));
    }

    private static String number(@Nullable Object number) {
        return String.format(Locale.ROOT, "%,d", (Long) Objects.requireNonNull(number));
    }

    /** Comes with the link that carries a token, and looks at the rule against a device. */
    private static Map<?, ?> look(String device) throws IOException {
        Map<?, ?> rule = proposed(device);
        page.open("#token=" + collector.adminToken());
        page.await(() -> !page.url().contains("token"));
        page.type("ga");
        page.await(() -> page.url().contains("#/v1/attacks"));
        page.click("tr[data-device='" + device + "']");
        page.await(() -> page.url().contains("mitigation=" + rule.get("id")));
        page.await(() -> page.has("section[data-rule='" + rule.get("id") + "'][data-state=proposed]"));
        return rule;
    }

    private static boolean isState(String state) {
        return page.text("[data-field=rule-state]").equals(state);
    }

    // What a person does.

    @Test
    void anOperatorBlocksADeviceSeesTheProofAndLetsItGo() throws Exception {
        String device = "02:00:00:00:00:01";
        Map<?, ?> rule = look(device);
        assertThat(page.browser().executeScript("return [sessionStorage.length, localStorage.length].join()"))
                .as("a token is shown once, and kept nowhere")
                .isEqualTo("0,0");
        assertThat(String.valueOf(page.browser().executeScript("return history.length + location.href")))
                .doesNotContain(collector.adminToken());
        page.await(() -> {
            try {
                Map<?, ?> attack = attack();
                return page.text("[data-field=rate]").equals(number(attack.get("packetsPerSecond")))
                        && page.text("[data-field=devices]").equals(number(attack.get("devices")));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(page.text("main")).contains(SWITCH);
        assertThat(page.browser().executeScript("return typeof owned")).isEqualTo("undefined");
        assertThat(page.has("main img, main script")).isFalse();
        assertThat(page.find("[data-station=Detected]").getDomAttribute("data-reached"))
                .isEqualTo("true");
        assertThat(page.find("[data-station=Approved]").getDomAttribute("data-reached"))
                .isEqualTo("false");
        page.picture("attack-proposed");

        String words = "Block " + device + " → 198.51.100.1:80 at " + SWITCH + " for 5 min";
        assertThat(page.text("[data-act=approve]")).isEqualTo(words);
        String why = "the customer knows <b>of it</b>";
        page.find("[data-field=comment]").sendKeys(why);
        page.click("[data-act=approve]");
        page.await(() -> page.text("[data-act=yes]").equals(words));
        assertThat(page.find("dialog input[name=comment]").getDomProperty("value"))
                .isEqualTo(why);
        page.picture("attack-confirm");
        assertThat(Objects.requireNonNull(rule(device)).get("state"))
                .as("before somebody said yes")
                .isEqualTo("proposed");
        page.click("[data-act=yes]");
        page.await(() -> isState("sent"));
        assertThat(Objects.requireNonNull(rule(device)).get("owner")).isEqualTo("admin");
        page.await(() -> isState("proven"));
        page.await(() -> page.text("[data-fact=proven]").equals("yes"));
        page.await(() -> "true".equals(page.find("[data-station='First proof']").getDomAttribute("data-reached")));
        Map<String, Object> traffic =
                Json.object(collector.api().good("/api/v1/attacks/" + attack().get("id") + "/traffic"));
        assertThat((List<?>) traffic.get("stopped"))
                .as("what the rule stopped")
                .anySatisfy(each -> assertThat((Long) each).isPositive());
        page.picture("attack-proven");

        page.await(() -> page.text("[data-field=said-of-it]").equals(why));
        page.find("[data-field=comment]").sendKeys("it was a test");
        page.click("[data-act=withdraw]");
        page.await(() -> isState("withdrawn"));
        page.await(() -> page.text("[data-rule] table").contains("it was a test"));
        page.picture("attack-withdrawn");
        List<String> comments = items("/api/v1/audit?mitigation=" + rule.get("id")).stream()
                .map(act -> ((Map<?, ?>) Objects.requireNonNull(act)).get("comment"))
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .toList();
        assertThat(comments).as("the newest first").containsExactly("it was a test", why);
        assertThat(items("/api/v1/audit?mitigation=" + rule.get("id")).stream()
                        .map(act -> String.valueOf(((Map<?, ?>) Objects.requireNonNull(act)).get("what"))))
                .contains("proposed", "approved", "sent", "proven", "withdrawn");
        page.assertQuiet();
    }

    @Test
    void whoIsTooLateIsShownWhatItIsNowAndNothingIsDone() throws Exception {
        Map<?, ?> rule = look("02:00:00:00:00:05");
        page.click("[data-act=approve]");
        page.await(() -> page.find("[data-act=yes]").isDisplayed());
        String path = "/api/v1/mitigations/" + rule.get("id") + "/withdraw";
        assertThat(collector
                        .api()
                        .post(path, collector.adminToken(), "{\"revision\":" + rule.get("revision") + "}")
                        .status())
                .isEqualTo(200);
        page.click("[data-act=yes]");
        page.await(() -> page.text("[data-field=said]").contains("it has changed since: it is withdrawn"));
        page.await(() -> isState("withdrawn"));
        assertThat(page.text("[data-field=said]")).startsWith("Not done: Block 02:00:00:00:00:05");
        page.picture("attack-too-late");
    }

    @Test
    void theKillSwitchNeedsATokenAndAYesAndCanBeTakenBack() throws Exception {
        proposed("02:00:00:00:00:0d");
        page.browser().manage().deleteAllCookies();
        page.open("#/v1/attacks");
        page.click("[data-act=withdraw-all]");
        page.await(() -> page.text("dialog[open]").contains("admin.token"));
        page.find("dialog input[name=comment]").sendKeys("let us think first");
        page.find("dialog input[name=token]").sendKeys("plt_nobody");
        page.click("[data-act=yes]");
        page.await(() -> page.text("dialog[open]").contains("the token is not known"));
        assertThat(page.text("[data-field=mode]")).isEqualTo("propose");
        page.find("dialog input[name=token]").clear();
        page.find("dialog input[name=token]").sendKeys(collector.adminToken());
        page.click("[data-act=yes]");
        page.await(() -> page.text("[data-field=mode]").equals("observe"));
        page.picture("attack-stopped");
        assertThat(collector.api().good("/api/v1/audit")).contains("\"comment\":\"let us think first\"");
        assertThat(Objects.requireNonNull(rule("02:00:00:00:00:0d")).get("state"))
                .isNotEqualTo("proposed");
        page.click("[data-act=resume]");
        page.click("[data-act=yes]");
        page.await(() -> page.text("[data-field=mode]").equals("propose"));
    }

    @Test
    void aNameIsNoFormulaInATableThatIsTakenHome() throws Exception {
        Path home = Files.createDirectories(temp.resolve("home"));
        page.browser()
                .executeCdpCommand(
                        "Browser.setDownloadBehavior", Map.of("behavior", "allow", "downloadPath", home.toString()));
        page.open("#/v1/exporters");
        page.await(() -> page.shows(CORE));
        page.browser()
                .findElement(By.xpath("//main//h2[@id='exporters']//button[text()='CSV']"))
                .click();
        Path file = home.resolve("exporters.csv");
        RunningCollector.until("a file", () -> Files.exists(file) && Files.size(file) > 0);
        assertThat(Files.readAllLines(file))
                .anySatisfy(line -> assertThat(line).contains(",'" + CORE + ","))
                .noneSatisfy(line -> assertThat(line).containsPattern("(^|,)\"?[=+@]"));
    }

    @Test
    void aViewerFromElsewhereLooksAndIsToldWhichRoleActingNeeds() throws Exception {
        String device = "02:00:00:00:00:0d";
        String token = collector.makeToken("looks", "viewer");
        page.browser().manage().deleteAllCookies();
        page.comesFromElsewhere(true);
        try {
            Map<?, ?> rule = proposed(device);
            page.open("#/v1/attacks?attack=" + rule.get("attack") + "&mitigation=" + rule.get("id"));
            page.await(() -> page.has("#login"));
            page.find("#login").sendKeys(token, Keys.ENTER);
            page.await(() -> page.has("section[data-rule='" + rule.get("id") + "'] [data-act=approve]"));
            page.click("[data-act=approve]");
            page.await(() -> page.text("dialog[open]").contains("You are logged in as looks, a viewer."));
            assertThat(page.text("dialog[open]")).contains("Token of role operator or admin");
            page.find("dialog input[type=password]").sendKeys(token);
            page.click("[data-act=yes]");
            page.await(() ->
                    page.text("dialog[open] [role=alert]").equals("this needs a token of role operator, not viewer"));
            page.picture("attack-viewer");
            assertThat(items("/api/v1/audit?mitigation=" + rule.get("id")).stream()
                            .map(act -> String.valueOf(((Map<?, ?>) Objects.requireNonNull(act)).get("what"))))
                    .doesNotContain("approved");
        } finally {
            page.comesFromElsewhere(false);
            page.browser().manage().deleteAllCookies();
        }
    }

    /** Even one that knows the token: a browser says where a request comes from, and that is another site. */
    @Test
    void aPageOfAnotherSiteCanApproveNothing() throws Exception {
        String device = "02:00:00:00:00:09";
        Map<?, ?> before = proposed(device);
        long refused = refused();
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        String body = "{\"revision\":" + before.get("revision") + "}";
        byte[] html = String.format(
                        Locale.ROOT,
                        """
                        <!doctype html><title>tries</title><iframe name="hidden"></iframe>
                        <form method="post" enctype="text/plain" target="hidden" action="%1$s/approve"><input name='%2$s' value=""></form>
                        <script>
                          const tries = [];
                          const json = (token) => ({ Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' });
                          const simple = { 'Content-Type': 'text/plain' };
                          async function attempt(name, action, options) {
                            try {
                              tries.push(name + ' ' + (await fetch(action, { method: 'POST', body: '%2$s', ...options })).type);
                            } catch {
                              tries.push(name + ' refused');
                            }
                          }
                          (async () => {
                            await attempt('guess', '%1$s/approve', { headers: json('plt_guess') });
                            await attempt('token', '%1$s/approve', { headers: json('%3$s') });
                            await attempt('simple', '%1$s/approve', { mode: 'no-cors', headers: simple });
                            await attempt('kill', '%4$s/withdraw-all', { mode: 'no-cors', headers: simple });
                            await attempt('read', '%4$s', { method: 'GET', body: undefined });
                            document.querySelector('iframe').onload = () => (document.title = tries.join(', '));
                            document.querySelector('form').submit();
                          })();
                        </script>
                        """,
                        "http://127.0.0.1:" + collector.httpPort() + "/api/v1/mitigations/" + before.get("id"),
                        body,
                        collector.adminToken(),
                        "http://127.0.0.1:" + collector.httpPort() + "/api/v1/mitigations")
                .getBytes(StandardCharsets.UTF_8);
        site.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, html.length);
            exchange.getResponseBody().write(html);
            exchange.close();
        });
        site.start();
        try {
            page.browser().get("http://127.0.0.1:" + site.getAddress().getPort() + "/");
            page.await(() -> Objects.requireNonNull(page.browser().getTitle()).contains("simple"));
            assertThat(page.browser().getTitle())
                    .isEqualTo("guess refused, token refused, simple refused, kill refused, read refused");
        } finally {
            site.stop(0);
        }
        assertThat(refused() - refused)
                .as("two questions whether it may, two simple ones, a read and a form")
                .isGreaterThanOrEqualTo(6);
        Map<?, ?> after = Objects.requireNonNull(rule(device));
        for (String key : List.of("id", "state", "revision", "wanted", "sent", "owner")) {
            assertThat(after.get(key)).as(key).isEqualTo(before.get(key));
        }
        assertThat(Json.object(collector.api().good("/api/v1/mitigations")).get("mode"))
                .isEqualTo("propose");
    }

    /** Requests that were answered 403. */
    private static long refused() throws IOException {
        Matcher matcher = REFUSED.matcher(collector.api().good("/metrics"));
        long sum = 0;
        while (matcher.find()) {
            sum += Long.parseLong(matcher.group(1));
        }
        return sum;
    }
}
