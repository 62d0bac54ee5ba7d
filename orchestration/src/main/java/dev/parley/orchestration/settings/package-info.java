/**
 * The settings of agents that run as programs: {@code parley.toml} of the user and of the
 * repository, {@code .env}, and the environment. Files of a repository count only once the user has
 * accepted them.
 */
@NullMarked
package dev.parley.orchestration.settings;

import org.jspecify.annotations.NullMarked;
