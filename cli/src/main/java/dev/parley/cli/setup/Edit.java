package dev.parley.cli.setup;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * The change of one settings file.
 *
 * @param with maps the old content to the new one; the old one is empty if the file is missing
 * @param without removes our part from the content; empty if the file is no longer needed
 */
record Edit(Path file, UnaryOperator<String> with, UnaryOperator<String> without) {}
