# Shows vkcube under MangoHud, which ends where the kernel has no lists of devices: it is given empty ones there.
set -eu
export MANGOHUD=1 MANGOHUD_CONFIG=full
[ ! -d /sys/class/drm ] || exec vkcube --c 300
exec unshare --mount --propagation unchanged sh -euc '
    mount -t tmpfs none /sys/class
    mkdir /sys/class/drm /sys/class/hwmon /sys/class/powercap /sys/class/power_supply
    exec vkcube --c 300'
