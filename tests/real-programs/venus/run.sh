# Shows vulkaninfo by Venus: the driver hands each call to a server, which makes it on lavapipe. The program alone has layers.
set -eu
env -u VK_INSTANCE_LAYERS virgl_test_server --venus --no-virgl --socket-path="$PWD/vtest" >server 2>&1 &
server=$!
for _ in $(seq 100); do
    [ ! -S vtest ] || break
    sleep 0.1
done
status=0
VK_DRIVER_FILES=/usr/share/vulkan/icd.d/virtio_icd.json VN_DEBUG=vtest VTEST_SOCKET_NAME="$PWD/vtest" vulkaninfo || status=$?
kill "$server"
exit $status
