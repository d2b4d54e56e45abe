package io.pathlore.it.collect;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Who checks the collector shares no code with it: what both got wrong would look right. */
class IndependenceTest {
    @Test
    void theCheckerUsesNothingOfTheProduct() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.pathlore.model..",
                        "io.pathlore.wire..",
                        "io.pathlore.ingest..",
                        "io.pathlore.analysis..",
                        "io.pathlore.engine..",
                        "io.pathlore.store..",
                        "io.pathlore.serve..",
                        "io.pathlore.dataplane..",
                        "io.pathlore.cli..")
                .check(new ClassFileImporter().importPackages(Checker.class.getPackageName()));
    }
}
