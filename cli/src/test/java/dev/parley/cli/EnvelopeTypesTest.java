package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class EnvelopeTypesTest {
  @Test
  void docsLogListsExactlyTheTypesThatTheCodeWrites() throws Exception {
    assertThat(documented()).isNotEmpty().isEqualTo(declared());
  }

  /** The first column of the table under "Types". */
  private static Set<String> documented() throws Exception {
    String page = Files.readString(Path.of(System.getProperty("parley.root"), "docs", "LOG.md"));
    Matcher row =
        Pattern.compile("(?m)^\\| `([^`]+)` \\|").matcher(page.substring(page.indexOf("## Types")));
    Set<String> types = new TreeSet<>();
    while (row.find()) {
      types.add(row.group(1));
    }
    return types;
  }

  /** The constants of every class whose name ends in Types. */
  private static Set<String> declared() throws Exception {
    Set<String> types = new TreeSet<>();
    for (JavaClass found :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.parley")) {
      if (found.getSimpleName().endsWith("Types")) {
        for (Field field : found.reflect().getDeclaredFields()) {
          if (Modifier.isPublic(field.getModifiers()) && field.getType() == String.class) {
            types.add(String.valueOf(field.get(null)));
          }
        }
      }
    }
    return types;
  }
}
