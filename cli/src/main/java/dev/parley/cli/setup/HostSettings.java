package dev.parley.cli.setup;

import java.util.List;

/**
 * One host: how it is detected, the changes for it, and what its user must confirm.
 *
 * @param found whether it is on this machine
 * @param notes what only the user can do; shown after the change
 */
record HostSettings(
    String name, String title, boolean found, List<Edit> edits, List<String> notes) {}
