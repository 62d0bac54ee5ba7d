package dev.parley.cli;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.cli.command.OpenedBus;
import dev.parley.coordination.Team;
import dev.parley.coordination.board.Boards;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.LedgerLimits;
import dev.parley.coordination.lease.Leases;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.roster.Roster;
import dev.parley.coordination.task.Tasks;
import dev.parley.coordination.wait.Waits;
import dev.parley.coordination.wake.Wakes;
import dev.parley.core.Log;
import dev.parley.core.Reporter;
import dev.parley.core.keys.KeyRing;
import dev.parley.core.store.Store;
import dev.parley.dialects.message.Codec;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

  /** The packages of folds, and what in them is a service beside a fold, with what it does. */
  private static final String FOLD_PACKAGES =
      "dev[.]parley[.]coordination[.]"
          + "(board|bulletin|fold|lease|ledger.*|mailbox|path|roster|task|text|wait|wake)";

  private static final Map<String, String> SERVICES_BESIDE_FOLDS =
      Map.of(
          "FoldReader", "feeds folds with the lines of a log",
          "LedgerOwner", "appends requests and waits for decisions",
          "Waking", "appends what becomes of wakes",
          "Markdown", "writes pages for people; nothing is decided by them",
          "Session", "makes secrets of sessions, in begin()");

  /** Makes ids and keys of writers by chance; folds use only those that are in lines. */
  private static final String CHANCE =
      "dev[.]parley[.]core[.]writer[.](RandomBytes|Writer(Id|Key))";

  /** Every class of the fold packages, and all that a fold's code can reach, however deep. */
  @Test
  void allThatFoldsReachIsPure() {
    Set<JavaClass> reached = reachedByFolds();
    PARLEY.stream()
        .filter(type -> type.getPackageName().matches(FOLD_PACKAGES))
        .filter(type -> !SERVICES_BESIDE_FOLDS.containsKey(outermost(type).getSimpleName()))
        .forEach(reached::add);
    assertThat(reached.stream().map(JavaClass::getName))
        .contains(
            "dev.parley.coordination.path.PathPattern",
            "dev.parley.coordination.mailbox.ChatterFilter",
            "dev.parley.coordination.ledger.WaitGraph",
            "dev.parley.coordination.text.UnicodeLetters",
            "dev.parley.core.json.JsonScanner",
            "dev.parley.core.keys.KeyRing");
    List<String> impure = new ArrayList<>();
    for (JavaClass type : reached) {
      if (type.getName().matches(CHANCE) || type.isEquivalentTo(Session.class)) {
        continue;
      }
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
          "dev.parley.core.writer.WriterId.random",
          "dev.parley.core.writer.RandomBytes.of",
          "dev.parley.coordination.ledger.Session.begin",
          "java.util.UUID.randomUUID",
          "java.util.Locale.getDefault",
          "java.lang.Character.getType",
          "java.lang.Character.isLetterOrDigit",
          "java.lang.Character.isLetter",
          "java.lang.Character.isDigit",
          "java.lang.Character.isAlphabetic");

  private static final String BELOW_FOLDS = "dev[.]parley[.](coordination|core)([.].*)?";

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(LayeringTest::outermost).orElse(type);
  }

  private static Set<JavaClass> reachedByFolds() {
    Set<JavaClass> reached = new HashSet<>();
    Deque<JavaClass> open = new ArrayDeque<>();
    PARLEY.stream().filter(type -> type.isAssignableTo(Fold.class)).forEach(open::add);
    open.add(PARLEY.get(KeyRing.class));
    while (!open.isEmpty()) {
      JavaClass type = open.remove();
      if (reached.add(type)) {
        type.getDirectDependenciesFromSelf().stream()
            .map(dependency -> dependency.getTargetClass().getBaseComponentType())
            .filter(target -> target.getPackageName().matches(BELOW_FOLDS))
            // It feeds folds with envelopes, and looks at the clock to keep its own progress.
            .filter(target -> !target.isEquivalentTo(FoldReader.class))
            .forEach(open::add);
      }
    }
    return reached;
  }

  /** So that a process has one log and one owner of the ledger, however many agents it serves. */
  @Test
  void surfacesShareTheBusThatTheRunHasOpened() {
    noClasses()
        .that()
        .resideInAnyPackage(CLI, MCP, ORCHESTRATION)
        .and()
        .areNotAssignableTo(OpenedBus.class)
        .should()
        .callMethod(BusFolder.class, "openStore")
        .orShould()
        .callMethod(Parley.class, "on", Store.class)
        .orShould()
        .callMethod(Parley.class, "on", Store.class, Reporter.class)
        .orShould()
        .callMethod(Parley.class, "open")
        .orShould()
        .callMethod(Parley.class, "open", Path.class)
        .orShould()
        .callConstructorWhere(
            target(owner(equivalentTo(LedgerOwner.class).or(equivalentTo(Team.class)))))
        .check(PARLEY);
  }

  /** What the fold of the ledger changes with every line. */
  private static final List<Class<?>> CHANGING =
      List.of(
          Fold.class,
          FoldTime.class,
          LedgerLimits.class,
          Roster.class,
          Leases.class,
          Tasks.class,
          Waits.class,
          Boards.class,
          WaitGraph.class);

  /** Only its owner has the folded ledger; see also {@code LedgerOwner.look}. */
  @Test
  void nothingHandsOutAFoldThatChanges() {
    List<String> leaks = new ArrayList<>();
    int methods = 0;
    for (JavaClass type : PARLEY) {
      boolean isFold = CHANGING.stream().anyMatch(type::isAssignableTo);
      boolean makesFolds =
          type.isAssignableTo(Fold.Kind.class) || outermost(type).isEquivalentTo(FoldReader.class);
      if (!type.getPackageName()
              .matches("dev[.]parley([.]coordination.*|[.]text|[.]json|[.]session)?")
          || isFold
          || makesFolds) {
        continue;
      }
      for (JavaMethod method : type.getMethods()) {
        methods++;
        JavaClass given = method.getRawReturnType();
        if (method.getModifiers().contains(JavaModifier.PUBLIC)
            && !given.isEquivalentTo(Wakes.class) // folded for each caller anew
            && CHANGING.stream().anyMatch(given::isAssignableTo)) {
          leaks.add(method.getFullName());
        }
      }
    }
    assertThat(leaks).isEmpty();
    assertThat(methods).isGreaterThan(1000);
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
