package dev.parley.cli;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.parley.Agent;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.core.Log;
import dev.parley.dialects.message.Codec;
import dev.parley.filelog.FileLog;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which module may know which: see "Modules" in ARCHITECTURE.md. */
class LayeringTest {
  private static final String[] DIALECT_PARTS = {
    "dev.parley.dialects.file..",
    "dev.parley.dialects.message..",
    "dev.parley.dialects.sync..",
    "dev.parley.dialects.append.."
  };

  private static final String CORE = "dev.parley.core..";
  private static final String FILE_LOG = "dev.parley.filelog..";
  private static final String COORDINATION = "dev.parley.coordination..";
  private static final String[] LIBRARY = {
    "dev.parley",
    "dev.parley.session..",
    "dev.parley.text..",
    "dev.parley.json..",
    "dev.parley.store.."
  };
  private static final String DIALECTS = "dev.parley.dialects..";
  private static final String ORCHESTRATION = "dev.parley.orchestration..";
  private static final String MCP = "dev.parley.mcp..";
  private static final String HTTP_SERVER = "com.sun.net.httpserver..";
  private static final String CLI = "dev.parley.cli..";
  private static final String[] OUTSIDE = {"java..", "javax.crypto..", "org.jspecify.."};

  private static final JavaClasses PARLEY =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.parley");

  @Test
  void theTestSawTheClassesOfEveryModule() {
    assertThat(PARLEY.contain(Log.class)).isTrue();
    assertThat(PARLEY.contain(FileLog.class)).isTrue();
    assertThat(PARLEY.contain(Fold.class)).isTrue();
    assertThat(PARLEY.contain(Agent.class)).isTrue();
    assertThat(PARLEY.contain(Codec.class)).isTrue();
    assertThat(PARLEY.contain(Main.class)).isTrue();
    assertThat(PARLEY).hasSizeGreaterThan(100).noneMatch(type -> type.getName().endsWith("Test"));
  }

  @Test
  void coreKnowsNothingOfTheOthers() {
    onlyKnows(CORE, CORE);
  }

  @Test
  void fileLogKnowsOnlyCore() {
    onlyKnows(FILE_LOG, FILE_LOG, CORE);
  }

  @Test
  void coordinationKnowsOnlyCoreAndSoNotWhichLogItIsOn() {
    onlyKnows(COORDINATION, COORDINATION, CORE);
  }

  @Test
  void theLibraryKnowsWhatIsBelowIt() {
    onlyKnows(LIBRARY, LIBRARY, COORDINATION, FILE_LOG, CORE);
  }

  @Test
  void dialectsKnowWhatIsBelowThem() {
    onlyKnows(DIALECTS, DIALECTS, LIBRARY, COORDINATION, FILE_LOG, CORE);
  }

  /** So that nothing else loads the library, which takes a quarter of a second. */
  @Test
  void onlySwarmsDatabaseUsesSql() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.parley.dialects.swarm.database..")
        .and()
        .resideInAPackage("dev.parley..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "org.sqlite..")
        .check(PARLEY);
  }

  @Test
  void noTwoDialectsNeedEachOther() {
    slices()
        .matching("dev.parley.dialects.(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(resideInAPackage("dev.parley.dialects.mount.."), alwaysTrue())
        .ignoreDependency(alwaysTrue(), resideInAnyPackage(DIALECT_PARTS))
        .check(PARLEY);
  }

  /** What the dialects share knows none of them, and each part only those before it. */
  @Test
  void whatDialectsShareIsInLayers() {
    for (int i = 0; i < DIALECT_PARTS.length; i++) {
      String[] allowed = Arrays.copyOf(DIALECT_PARTS, i + 1);
      noClasses()
          .that()
          .resideInAPackage(DIALECT_PARTS[i])
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.parley.dialects..").and(resideOutsideOfPackages(allowed)))
          .check(PARLEY);
    }
  }

  /** A fold is pure: no clock, no disk, no threads, no process table. */
  @Test
  void whatFoldsDependOnIsPure() {
    classes()
        .that()
        .areAssignableTo(Fold.class)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.parley.dialects..",
            "dev.parley.coordination..",
            "dev.parley.core..",
            "java.lang",
            "java.lang.invoke",
            "java.util",
            "java.util.function",
            "java.util.stream",
            "java.time",
            "org.jspecify..")
        .check(PARLEY);
    noClasses()
        .that()
        .areAssignableTo(Fold.class)
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(PARLEY);
  }

  /** Also what folds are made of, however deep: all that a fold's code can reach. */
  @Test
  void allThatFoldsReachIsPure() {
    Set<JavaClass> reached = reachedByFolds();
    assertThat(reached.stream().map(JavaClass::getName))
        .contains(
            "dev.parley.coordination.path.PathPattern",
            "dev.parley.coordination.mailbox.ChatterFilter",
            "dev.parley.coordination.ledger.WaitGraph",
            "dev.parley.coordination.text.LetterTable");
    List<String> impure = new ArrayList<>();
    for (JavaClass type : reached) {
      for (JavaAccess<?> access : type.getAccessesFromSelf()) {
        String owner = access.getTargetOwner().getName();
        if (IMPURE_TYPES.stream().anyMatch(owner::startsWith)
            || IMPURE_CALLS.contains(owner + "." + access.getName())) {
          impure.add(access.getDescription());
        }
      }
    }
    assertThat(impure).isEmpty();
  }

  private static final List<String> IMPURE_TYPES =
      List.of(
          "java.io.File",
          "java.nio.file.",
          "java.nio.channels.",
          "java.net.",
          "java.lang.Thread",
          "java.lang.Process",
          "java.util.concurrent.",
          "java.util.Random",
          "java.util.Timer",
          "java.security.SecureRandom",
          "java.time.Clock",
          "java.time.ZoneId",
          "java.text.");

  /** Clocks, chance, the environment, and tables that a newer JDK has other entries in. */
  private static final Set<String> IMPURE_CALLS =
      Set.of(
          "java.time.Instant.now",
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.getenv",
          "java.lang.System.getProperty",
          "java.lang.Math.random",
          "java.util.UUID.randomUUID",
          "java.util.Locale.getDefault",
          "java.lang.Character.getType",
          "java.lang.Character.isLetterOrDigit",
          "java.lang.Character.isLetter",
          "java.lang.Character.isDigit",
          "java.lang.Character.isAlphabetic");

  private static Set<JavaClass> reachedByFolds() {
    Set<JavaClass> reached = new HashSet<>();
    Deque<JavaClass> open = new ArrayDeque<>();
    PARLEY.stream()
        .filter(type -> type.isAssignableTo(Fold.class))
        .filter(type -> type.getPackageName().startsWith("dev.parley.coordination"))
        .forEach(open::add);
    while (!open.isEmpty()) {
      JavaClass type = open.remove();
      if (reached.add(type)) {
        type.getDirectDependenciesFromSelf().stream()
            .map(dependency -> dependency.getTargetClass().getBaseComponentType())
            .filter(target -> target.getPackageName().startsWith("dev.parley.coordination"))
            // It feeds folds with envelopes, and looks at the clock to keep its own progress.
            .filter(target -> !target.isEquivalentTo(FoldReader.class))
            .forEach(open::add);
      }
    }
    return reached;
  }

  @Test
  void onlyOnePackageCallsTheSystemItself() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.parley.filelog.linux..", "dev.parley.bench..")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.foreign.Linker")
        .check(PARLEY);
  }

  @Test
  void orchestrationKnowsWhatIsBelowItAndReadsToml() {
    onlyKnows(
        ORCHESTRATION,
        ORCHESTRATION,
        DIALECTS,
        LIBRARY,
        COORDINATION,
        FILE_LOG,
        CORE,
        "org.tomlj..");
  }

  @Test
  void theMcpServerKnowsWhatIsBelowItAndNoOtherSurface() {
    onlyKnows(MCP, MCP, LIBRARY, COORDINATION, FILE_LOG, CORE, HTTP_SERVER);
  }

  @Test
  void theCommandLineKnowsAllAndNoLibrary() {
    onlyKnows(CLI, CLI, MCP, ORCHESTRATION, DIALECTS, LIBRARY, COORDINATION, FILE_LOG, CORE);
  }

  @Test
  void noTwoPackagesOfTheCommandLineNeedEachOther() {
    slices().matching("dev.parley.cli.(*)..").should().beFreeOfCycles().check(PARLEY);
  }

  /** Each argument is a package or an array of packages. */
  private static void onlyKnows(Object module, Object... known) {
    List<String> all = new ArrayList<>(List.of(OUTSIDE));
    for (Object each : known) {
      all.addAll(packages(each));
    }
    classes()
        .that()
        .resideInAnyPackage(packages(module).toArray(String[]::new))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(all.toArray(String[]::new))
        .check(PARLEY);
  }

  private static List<String> packages(Object one) {
    return one instanceof String[] several ? List.of(several) : List.of((String) one);
  }
}
