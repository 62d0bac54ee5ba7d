"""A foreign worker that waits for an event: a file that matches a pattern.

conductor_waiter.py BUS PATTERN
"""
import glob
import sys
import time

end = time.time() + 60
while time.time() < end:
    if glob.glob(f"{sys.argv[1]}/events/{sys.argv[2]}"):
        sys.exit(0)
    time.sleep(0.02)
sys.exit(1)
