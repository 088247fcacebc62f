#!/bin/sh
# confine.sh ROOT USER:GROUP WORKDIR "OUTSIDE:INSIDE ..." NAME=VALUE... PROGRAM WORDS...
# Called in namespaces of its own for mounts and processes. Ends in PROGRAM as the first process: signals reach it.
set -eu

root=$1 user=$2 workdir=$3 volumes=$4
shift 4

mount --make-rprivate /
mount --bind "$root" "$root"
# Not written to the image: what a runtime mounts for every container.
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755,size=64k tmpfs "$root/dev"
for device in null zero full random urandom; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
# As large as Docker and Kubernetes make it.
mkdir "$root/dev/shm"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
for volume in $volumes; do
  mount --bind "${volume%%:*}" "$root${volume#*:}"
done
# A resolver is mounted by runtimes too.
[ ! -e "$root/etc/resolv.conf" ] || mount --bind /etc/resolv.conf "$root/etc/resolv.conf"
# The bind mount alone; the mounts below it keep their own.
mount -o remount,bind,ro "$root"

# What drops rights comes from the image, after the change of the root, which needs one.
exec chroot "$root" /usr/bin/setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups \
  --inh-caps=-all --bounding-set=-all --no-new-privs \
  /usr/bin/env -i -C "$workdir" "$@"
