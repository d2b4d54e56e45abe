package io.pathlore.it;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The walls between the modules, which the class path alone would not hold. */
class ArchitectureTest {
    private static final String ROOT = "io.pathlore.";

    /** A module and what it may use. A new module has to be drawn here first. */
    private static final Map<String, Set<String>> USES = Map.ofEntries(
            Map.entry("model", Set.of()),
            Map.entry("wire", Set.of("model")),
            Map.entry("ingest", Set.of("wire", "model")),
            Map.entry("analysis", Set.of("model")),
            Map.entry("engine", Set.of("analysis", "model")),
            Map.entry("store", Set.of("wire", "model")),
            Map.entry("serve", Set.of("model")),
            Map.entry("mitigate", Set.of("model")),
            Map.entry("dataplane", Set.of("wire", "model")),
            Map.entry(
                    "cli",
                    Set.of("engine", "serve", "store", "analysis", "ingest", "dataplane", "mitigate", "wire", "model")),
            Map.entry("flink", Set.of("cli", "engine", "store", "analysis", "ingest", "wire", "model")),
            Map.entry("testkit", Set.of("model")),
            Map.entry(
                    "bench",
                    Set.of("cli", "engine", "store", "analysis", "ingest", "dataplane", "wire", "model", "testkit")));

    private static final String[] PURE = {"io.pathlore.model..", "io.pathlore.wire..", "io.pathlore.analysis.."};

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.pathlore");

    @Test
    void modulesOnlyUseWhatIsBelowThem() {
        Set<String> violations = new TreeSet<>();
        for (JavaClass from : CLASSES) {
            Set<String> allowed = USES.getOrDefault(module(from), Set.of());
            from.getDirectDependenciesFromSelf().stream()
                    .filter(to -> to.getTargetClass().getPackageName().startsWith(ROOT))
                    .filter(to -> !module(to.getTargetClass()).equals(module(from)))
                    .filter(to -> !allowed.contains(module(to.getTargetClass())))
                    .forEach(to -> violations.add(to.getDescription()));
        }
        assertThat(violations).isEmpty();
    }

    @Test
    void everyModuleIsDrawnAndWasLookedAt() {
        assertThat(CLASSES.stream().map(ArchitectureTest::module).collect(Collectors.toSet()))
                .isEqualTo(USES.keySet());
    }

    /** Or the two decoders would agree because they are one. */
    @Test
    void theReferenceDecoderDoesNotKnowTheRealOne() {
        noClasses()
                .that()
                .resideInAPackage("io.pathlore.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.pathlore.wire..")
                .check(CLASSES);
    }

    /** What is not here is I/O, channels, threads, loggers, frameworks and the like: Flink loads these modules. */
    @Test
    void pureModulesOnlyUseTheLanguageAndBuffers() {
        classes()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(PURE)
                        .or(resideInAnyPackage(
                                "java.lang",
                                "java.lang.annotation",
                                "java.lang.invoke",
                                "java.lang.runtime",
                                "java.math",
                                "java.nio.charset",
                                "java.time..",
                                "java.util",
                                "java.util.function",
                                "java.util.stream",
                                "org.jspecify.annotations"))
                        .or(belongToAnyOf(MessageDigest.class, NoSuchAlgorithmException.class))
                        .or(resideInAPackage("java.nio").and(nameMatching(".*(Buffer|ByteOrder|Exception)"))))
                .check(CLASSES);
    }

    @Test
    void pureModulesReadNoClockAndNoDice() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .callMethodWhere(target(nameMatching("now|systemUTC|systemDefaultZone"))
                        .and(target(owner(resideInAPackage("java.time..")))))
                .orShould()
                .callMethodWhere(
                        target(nameMatching("nanoTime|currentTimeMillis|getenv|getProperty|setProperty|exit|getLogger"))
                                .and(target(owner(belongToAnyOf(System.class)))))
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .accessField(System.class, "in")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callConstructor(java.util.Random.class)
                .orShould()
                .callMethod(java.util.UUID.class, "randomUUID")
                .orShould()
                .dependOnClassesThat(belongToAnyOf(
                        Clock.class,
                        Thread.class,
                        ThreadLocal.class,
                        Runtime.class,
                        Process.class,
                        System.Logger.class))
                .check(CLASSES);
    }

    private static String module(JavaClass type) {
        String rest = type.getPackageName().substring(ROOT.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }
}
