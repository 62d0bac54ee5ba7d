package dev.parley.filelog.health;

import dev.parley.core.ParleyException;
import dev.parley.filelog.BusSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Recognises file systems on which appends of several machines are not ordered.
 *
 * <p>{@code PARLEY_NETWORK_FS=allow}, or {@code "networkFileSystem":true} in bus.json, allows a bus
 * there. That is safe while only one machine uses it.
 */
public final class FileSystemCheck {
  static final String SETTING = "PARLEY_NETWORK_FS";

  private static final Set<String> NETWORKED =
      Set.of(
          "nfs",
          "nfs4",
          "cifs",
          "smb",
          "smb2",
          "smb3",
          "smbfs",
          "afs",
          "openafs",
          "ncpfs",
          "9p",
          "ceph",
          "fuse.ceph",
          "glusterfs",
          "fuse.glusterfs",
          "lustre",
          "gpfs",
          "beegfs",
          "ocfs2",
          "gfs2",
          "afpfs",
          "webdav",
          "davfs",
          "fuse.sshfs",
          "fuse.davfs",
          "fuse.s3fs",
          "fuse.rclone",
          "macfuse",
          "osxfuse");

  private FileSystemCheck() {}

  static boolean isNetworked(String type) {
    return NETWORKED.contains(type.toLowerCase(Locale.ROOT));
  }

  public static String type(Path folder) throws IOException {
    return Files.getFileStore(folder).type();
  }

  /**
   * Refuses a folder on such a file system unless a setting allows it.
   *
   * @throws ParleyException with the reason and the setting
   */
  public static void check(
      Path folder, String type, BusSettings settings, Map<String, String> environment) {
    if (isNetworked(type)
        && !settings.networkFileSystem()
        && !"allow".equals(environment.get(SETTING))) {
      throw ParleyException.refused(
          "network-file-system",
          folder
              + " is on a network file system ("
              + type
              + "): appends of two machines could overwrite each other there.",
          "Use a local folder, or set " + SETTING + "=allow if only one machine uses it.");
    }
  }
}
