# Shows OpenXR's example on Monado, whose compositor is a process of its own that shows the pictures in a window.
set -eu
export XRT_COMPOSITOR_FORCE_XCB=1 XRT_COMPOSITOR_XCB_FULLSCREEN=0 XRT_NO_STDIN=1 SIMULATED_ENABLE=1 XR_RUNTIME_JSON=/usr/share/openxr/1/openxr_monado.json
env --default-signal=INT monado-service >server 2>&1 &
server=$!
sleep 3
status=0
(sleep 5; echo) | hello_xr -g Vulkan2 || status=$? # a line ends it
kill -INT "$server"
sleep 2
kill -KILL "$server" || :
exit $status
