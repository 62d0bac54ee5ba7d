/** Leases, tasks, mail, boards and bulletins: pure folds and the services beside them. */
module dev.parley.coordination {
  requires transitive dev.parley.core;
  requires static org.jspecify;

  exports dev.parley.coordination;
  exports dev.parley.coordination.board;
  exports dev.parley.coordination.bulletin;
  exports dev.parley.coordination.fold;
  exports dev.parley.coordination.lease;
  exports dev.parley.coordination.ledger;
  exports dev.parley.coordination.mail;
  exports dev.parley.coordination.mailbox;
  exports dev.parley.coordination.path;
  exports dev.parley.coordination.roster;
  exports dev.parley.coordination.task;
  exports dev.parley.coordination.text;
  exports dev.parley.coordination.wait;
  exports dev.parley.coordination.wake;
  exports dev.parley.coordination.work;
}
