/**
 * Topics as files that processes share, and the folder they are in. Programs reach it through
 * {@code dev.parley}, so nothing of it is API.
 */
@SuppressWarnings("module") // this module is compiled before those that it exports to
module dev.parley.filelog {
  requires transitive dev.parley.core;
  requires static org.jspecify;

  exports dev.parley.filelog to
      dev.parley;
  exports dev.parley.filelog.store to
      dev.parley;
}
