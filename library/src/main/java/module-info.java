/** The library: opens a bus, joins it, and works with mail, leases, tasks and boards. */
module dev.parley {
  requires transitive dev.parley.coordination;
  requires dev.parley.filelog;
  requires static org.jspecify;

  exports dev.parley;
}
