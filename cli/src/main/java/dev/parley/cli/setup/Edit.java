package dev.parley.cli.setup;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * What is changed in one file of settings.
 *
 * @param with what the file is to hold; given what it holds, empty if it is not there
 * @param without the same without anything of ours; empty if the file is of no use any more
 */
record Edit(Path file, UnaryOperator<String> with, UnaryOperator<String> without) {}
