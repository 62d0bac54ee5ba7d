package dev.parley.core;

/** What lasts as long as this process. */
record MemoryStore(
    MemoryLog log, Views views, Contents contents, Cursors cursors, SessionSecrets secrets)
    implements Store {
  @Override
  public void close() {
    log.close();
  }
}
