package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Somebody who is not on the machine of the collector: they say who they are, once, and go on where they wanted to. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class LoginPageIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    @SuppressWarnings("NullAway.Init")
    private static RunningCollector collector;

    @SuppressWarnings("NullAway.Init")
    private static Page page;

    @BeforeAll
    static void start() throws IOException {
        collector = Setup.in(temp).small().start();
        page = new Page(collector.httpPort());
        page.comesFromElsewhere(true);
    }

    @AfterAll
    static void stop() {
        if (page != null) {
            page.close();
        }
        if (collector != null) {
            collector.close();
        }
    }

    private static void show(String token) {
        page.await(() -> page.has("#login"));
        page.find("#login").sendKeys(Keys.chord(Keys.CONTROL, "a"), token, Keys.ENTER);
    }

    private static String locked() {
        return page.text("[data-field=locked]");
    }

    @Test
    void whoComesFromElsewhereSaysWhoTheyAreAndGoesOnWhereTheyWantedTo() throws Exception {
        String viewer = collector.makeToken("night-shift", "viewer");
        page.open("#/v1/queues?since=1h");
        page.await(() -> page.has("#login"));
        assertThat(page.text("main")).contains("pathlore token add NAME --role viewer");
        assertThat(page.has("nav")).as("nothing else is shown").isFalse();
        assertThat(page.barriers()).isEmpty();
        page.picture("login");

        show("plt_nobody");
        page.await(() -> page.text("[role=alert]").equals("Not logged in: the token is not known."));
        page.browser().executeScript("document.documentElement.classList.add('dark')");
        page.picture("login-wrong-dark");
        show(viewer);
        page.await(() -> page.has("nav") && page.url().endsWith("#/v1/queues?since=1h"));
        page.await(() -> page.shows("No queue"));
        page.browser().navigate().refresh();
        page.await(() -> page.shows("No queue"));
        assertThat(page.browser()
                        .executeScript(
                                "return document.cookie + sessionStorage.length + localStorage.length + history.state"))
                .as("no script has anything of it")
                .isEqualTo("00null");

        page.type("gc");
        page.await(() -> page.text("[data-field=name]").equals("night-shift"));
        assertThat(page.text("[data-field=role]")).isEqualTo("viewer");
        page.picture("settings-viewer");
        assertThat(page.browser().executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                fetch('/api/v1/session').then((answer) => answer.json()).then(({ csrf }) =>
                  fetch('/api/v1/mitigations/any/approve', { method: 'POST', body: '{"revision":1}',
                    headers: { 'Pathlore-Csrf': csrf, 'Content-Type': 'application/json' } }))
                  .then(async (answer) => done(answer.status + ' ' + (await answer.json()).detail));
                """))
                .isEqualTo("403 this needs a token of role operator, not viewer");

        page.click("[data-act=logout]");
        page.await(() -> locked().equals("You are logged out."));
        assertThat(page.has("nav")).isFalse();
        show(viewer);
        page.await(() -> page.text("[data-field=name]").equals("night-shift"));

        collector.command("token", "revoke", "night-shift", "--set", "data=" + collector.data());
        page.await(() -> locked().startsWith("The session of night-shift has ended before its time"));
        show(viewer);
        page.await(() -> page.text("[role=alert]").contains("the token is not known"));
        page.await(() -> {
            show("plt_nobody");
            return page.text("[role=alert]").contains("too many tokens that are not good came from there");
        });
        page.picture("login-too-many");
        page.comesFromElsewhere(false);
        page.open("#/v1/queues");
        page.await(() -> page.shows("No queue")); // on the machine itself everybody may look, whoever else may not
        List<?> answers = (List<?>) Objects.requireNonNull(
                page.browser().executeScript("return performance.getEntriesByType('resource').map((one) => one.name)"));
        assertThat(answers).noneSatisfy(name -> assertThat(String.valueOf(name)).contains(viewer));
    }
}
