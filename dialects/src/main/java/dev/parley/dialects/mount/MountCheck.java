package dev.parley.dialects.mount;

import dev.parley.dialects.file.FileRemark;
import java.util.List;
import java.util.Set;

/**
 * How far a mount's files and the log are in step.
 *
 * @param there whether the files can be worked on
 * @param unread how many bytes of the files were not read yet
 * @param unwritten how many messages of the log are not in the files yet
 * @param remarks what in the files does not follow their format
 * @param residents the agents that live in the files
 */
public record MountCheck(
    Mount mount,
    boolean there,
    long unread,
    int unwritten,
    List<FileRemark> remarks,
    Set<String> residents) {
  public MountCheck {
    remarks = List.copyOf(remarks);
    residents = Set.copyOf(residents);
  }

  /** The remarks about what is passed over, or keeps the mount from being worked on. */
  public List<FileRemark> passedOver() {
    return remarks.stream().filter(remark -> !remark.understood()).toList();
  }

  /** How many things differ from the format but are read anyway. */
  public int drifted() {
    return remarks.size() - passedOver().size();
  }

  public boolean isInStep() {
    return there && unread == 0 && unwritten == 0 && passedOver().isEmpty();
  }
}
