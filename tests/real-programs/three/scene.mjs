/* Draws a scene with three.js by WebGPU (Dawn, on Node): shadows, a texture with mip levels,
 * instances, sprites that a compute shader moves, four samples a pixel. Prints the checksum of the
 * last frame. */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";

const PROGRAMS = process.env.NODE_PROGRAMS;
const { create, globals } = createRequire(`${PROGRAMS}/`)("webgpu");
Object.assign(globalThis, globals, {
  self: globalThis,
  requestAnimationFrame: draw => setTimeout(() => draw(performance.now()), 0),
  cancelAnimationFrame: clearTimeout,
});
Object.defineProperty(navigator, "gpu", { value: create(["backend=vulkan"]) });
const THREE = await import(`${PROGRAMS}/node_modules/three/build/three.webgpu.js`);
const TSL = await import(`${PROGRAMS}/node_modules/three/build/three.tsl.js`);

/* The renderer needs a canvas, though all is drawn into a render target. */
const canvas = {
  width: 256, height: 256, style: {}, addEventListener() {}, removeEventListener() {},
  getContext: () => ({ configure() {}, unconfigure() {} }),
};
const renderer = new THREE.WebGPURenderer({ canvas, antialias: false });
await renderer.init();
renderer.shadowMap.enabled = true;

const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(50, 1, 0.1, 50);
camera.position.set(4, 3, 6);
camera.lookAt(0, 0, 0);
scene.background = new THREE.Color(0x203040);
scene.fog = new THREE.Fog(0x203040, 5, 20);
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(3, 5, 2);
sun.castShadow = true;
sun.shadow.mapSize.set(512, 512);
scene.add(sun, new THREE.HemisphereLight(0x8899ff, 0x443322, 0.6));

const shade = i => (i % 4 === 3 ? 255 : ((i >> 2) ^ (i >> 8)) * 8);
const checks = new THREE.DataTexture(Uint8Array.from({ length: 64 * 64 * 4 }, (_, i) => shade(i)), 64, 64);
checks.generateMipmaps = true;
checks.minFilter = THREE.LinearMipmapLinearFilter;
checks.needsUpdate = true;
const ground = new THREE.Mesh(new THREE.PlaneGeometry(10, 10),
  new THREE.MeshStandardMaterial({ map: checks, roughness: 0.8 }));
ground.rotation.x = -Math.PI / 2;
ground.position.y = -1;
ground.receiveShadow = true;
const knot = new THREE.Mesh(new THREE.TorusKnotGeometry(0.8, 0.25, 64, 12),
  new THREE.MeshPhysicalMaterial({ color: 0xcc6633, metalness: 0.6, roughness: 0.3, clearcoat: 1 }));
knot.castShadow = knot.receiveShadow = true;
const boxes = new THREE.InstancedMesh(new THREE.BoxGeometry(0.3, 0.3, 0.3),
  new THREE.MeshLambertMaterial(), 50);
for (let i = 0; i < 50; i++) {
  const place = [Math.cos(i) * 3, -0.8 + (i % 5) * 0.2, Math.sin(i) * 3];
  boxes.setMatrixAt(i, new THREE.Matrix4().makeTranslation(...place));
  boxes.setColorAt(i, new THREE.Color().setHSL(i / 50, 0.7, 0.5));
}
boxes.castShadow = true;
scene.add(ground, knot, boxes);

const COUNT = 1000, places = TSL.instancedArray(COUNT, "vec3");
const start = TSL.Fn(() => {
  const i = TSL.float(TSL.instanceIndex);
  const place = TSL.vec3(i.mul(0.37).sin(), i.mul(0.11).cos(), i.mul(0.23).sin());
  places.element(TSL.instanceIndex).assign(place.mul(2));
})().compute(COUNT);
const fall = TSL.Fn(() => {
  places.element(TSL.instanceIndex).y.subAssign(0.01);
})().compute(COUNT);
const sparks = new THREE.Sprite(new THREE.SpriteNodeMaterial({
  transparent: true, depthWrite: false, blending: THREE.AdditiveBlending,
}));
sparks.material.positionNode = places.toAttribute();
sparks.material.colorNode = TSL.color(0xffcc88);
sparks.material.scaleNode = TSL.float(0.04);
sparks.count = COUNT;
sparks.frustumCulled = false;
scene.add(sparks);

const target = new THREE.RenderTarget(256, 256, { samples: 4 }), FRAMES = 60;
renderer.compute(start);
for (let frame = 0; frame < FRAMES; frame++) {
  knot.rotation.y = frame * 0.05;
  renderer.compute(fall);
  renderer.setRenderTarget(target);
  renderer.render(scene, camera);
}
const picture = await renderer.readRenderTargetPixelsAsync(target, 0, 0, 256, 256);
const colors = new Set(new Uint32Array(picture.buffer.slice(0))).size;
const sum = createHash("sha256").update(picture).digest("hex");
console.log(`three: ${FRAMES} frames, ${colors} colors, SHA-256 ${sum}`);
process.exit(0);
