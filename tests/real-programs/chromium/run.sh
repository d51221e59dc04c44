# Shows index.html in a browser that ends once the page has said that it is done.
set -eu
chromium --headless=new --no-sandbox --disable-gpu-sandbox --no-first-run --disable-background-networking --enable-logging=stderr --ignore-gpu-blocklist \
    --enable-features=Vulkan --use-vulkan=native --use-angle=vulkan --enable-unsafe-webgpu --use-webgpu-adapter=opengles \
    --user-data-dir="$PWD/profile" "file://$PWD/index.html" 2>said &
browser=$!
for _ in $(seq 300); do
    ! grep -q '"assay: end"' said || break
    sleep 0.2
done
kill -TERM $browser
wait $browser
cat said >&2
