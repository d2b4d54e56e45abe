package io.pathlore.mitigate.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.mitigate.notice.Maintenance.Once;
import io.pathlore.mitigate.notice.Maintenance.Silenced;
import io.pathlore.mitigate.notice.Maintenance.Weekly;
import io.pathlore.mitigate.notice.Maintenance.Window;
import io.pathlore.mitigate.notice.Notice.Stage;
import io.pathlore.model.JsonLine;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MaintenanceTest {
    private static final Instant NIGHT = Instant.parse("2026-11-20T22:00:00Z");
    private static final Once UPGRADE = new Once(NIGHT, NIGHT.plusSeconds(3_600));

    private final AtomicReference<Instant> now = new AtomicReference<>(NIGHT);
    private final List<Notice> told = Collections.synchronizedList(new ArrayList<>());

    private Maintenance maintenance(Window... windows) {
        return new Maintenance(List.of(windows), now::get, told::add);
    }

    private static Notice notice(String id, String severity, boolean over) {
        return new Notice("PathloreAttack", id, Stage.OBSERVED, severity, "a flood", 1, over ? 2 : JsonLine.NO_TIME);
    }

    @Test
    void nobodyIsToldOfWhatWasExpectedAndItCanBeSeen() {
        try (Maintenance quiet = maintenance(
                new Window("upgrade", UPGRADE, notice -> notice.severity().equals("warning")))) {
            quiet.tell(notice("a", "warning", false));
            quiet.tell(notice("b", "critical", false));
            assertThat(told).extracting(Notice::id).containsExactly("b");
            assertThat(quiet.count()).isEqualTo(1);
            assertThat(quiet.silenced()).containsExactly(new Silenced(NIGHT, "upgrade", notice("a", "warning", false)));
            now.set(NIGHT.minusSeconds(1));
            quiet.tell(notice("c", "warning", false));
            now.set(NIGHT.plusSeconds(3_600));
            quiet.tell(notice("d", "warning", false));
            assertThat(told).extracting(Notice::id).containsSubsequence("b", "c", "d");
        }
    }

    @Test
    void whatStillGoesOnWhenItEndsIsToldThen() {
        try (Maintenance quiet = maintenance(new Window("upgrade", UPGRADE, _ -> true))) {
            quiet.tell(notice("short", "critical", false));
            quiet.tell(notice("long", "critical", false));
            quiet.tell(notice("short", "critical", true));
            assertThat(quiet.open()).isEqualTo(1);
            quiet.look();
            assertThat(told).isEmpty();
            now.set(NIGHT.plusSeconds(3_600));
            quiet.look();
            quiet.look();
            assertThat(told).containsExactly(notice("long", "critical", false));
            assertThat(quiet.count()).isEqualTo(3);
        }
    }

    /** Who was not told that it began is not told that it is over. */
    @Test
    void anEndWithoutABeginningIsNotTold() {
        try (Maintenance quiet = maintenance(new Window("upgrade", UPGRADE, _ -> true))) {
            quiet.tell(notice("a", "critical", false));
            now.set(NIGHT.plusSeconds(3_600));
            quiet.tell(notice("a", "critical", true));
            quiet.look();
            // Its own thread may have looked between the two: then both are told.
            assertThat(told.size()).isIn(0, 2);
        }
    }

    @Test
    void aWeeklyWindowMayGoOverMidnight() {
        Weekly backups = new Weekly(
                Set.of(DayOfWeek.FRIDAY), LocalTime.of(23, 0), LocalTime.of(4, 0), ZoneId.of("Europe/Berlin"));
        assertThat(backups.openUntil(Instant.parse("2026-11-20T21:59:59Z"))).isNull();
        Instant end = Instant.parse("2026-11-21T03:00:00Z");
        assertThat(backups.openUntil(Instant.parse("2026-11-20T22:00:00Z"))).isEqualTo(end);
        assertThat(backups.openUntil(Instant.parse("2026-11-21T02:59:59Z"))).isEqualTo(end);
        assertThat(backups.openUntil(end)).isNull();
        assertThat(backups.openUntil(Instant.parse("2026-11-21T22:30:00Z"))).isNull();
        Weekly lunch = new Weekly(Set.of(DayOfWeek.FRIDAY), LocalTime.NOON, LocalTime.of(13, 0), ZoneId.of("UTC"));
        assertThat(lunch.openUntil(Instant.parse("2026-11-20T12:30:00Z"))).isNotNull();
        assertThat(lunch.openUntil(Instant.parse("2026-11-20T13:00:00Z"))).isNull();
    }

    @Test
    void neitherWhatIsKeptNorWhatIsToBeToldGrowsForever() {
        try (Maintenance quiet = maintenance(new Window("upgrade", UPGRADE, _ -> true))) {
            for (int i = 0; i < 2_000; i++) {
                quiet.tell(notice("n" + i, "critical", false));
            }
            assertThat(quiet.silenced())
                    .hasSize(Maintenance.KEPT)
                    .first()
                    .satisfies(last -> assertThat(last.notice().id()).isEqualTo("n1999"));
            assertThat(quiet.open()).isEqualTo(Maintenance.OPEN);
            assertThat(quiet.count()).isEqualTo(2_000);
        }
    }
}
