/**
 * Which buses, mounts and settings files this user has accepted on this machine. The registry lies
 * outside every bus folder, so nothing inside a folder can add to it.
 */
@NullMarked
package dev.parley.filelog.trust;

import org.jspecify.annotations.NullMarked;
