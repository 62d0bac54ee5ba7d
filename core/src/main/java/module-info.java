/**
 * Envelopes, topics, logs and the bus. The unqualified exports are API; a qualified one is for the
 * other modules of Parley.
 */
@SuppressWarnings("module") // this module is compiled before those that it exports to
module dev.parley.core {
  requires static org.jspecify;

  exports dev.parley.core;
  exports dev.parley.core.bus;
  exports dev.parley.core.json;
  exports dev.parley.core.memory;
  exports dev.parley.core.store;
  exports dev.parley.core.time;
  exports dev.parley.core.writer;
  exports dev.parley.core.codec to
      dev.parley.filelog,
      dev.parley.coordination,
      dev.parley;
  exports dev.parley.core.keys;
  exports dev.parley.core.names to
      dev.parley.filelog,
      dev.parley.coordination,
      dev.parley;
}
