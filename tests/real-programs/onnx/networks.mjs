/* Shows whether ONNX runtime computes by WebGPU (Dawn, on Node) what it must: SqueezeNet, and small
 * networks that come with their answers. The weights of this SqueezeNet are constants, so that its
 * answer says little: it is there for its shaders. */
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";

const DATA = "/usr/share/libonnx-testdata/data", PROGRAMS = process.env.NODE_PROGRAMS;
const NETWORKS = ["attention_4d_expanded", "averagepool_2d_pads", "basic_conv_with_padding",
  "batchnorm_example", "concat_3d_axis_1", "conv_with_strides_and_asymmetric_padding", "gather_1",
  "gelu_tanh_2", "gemm_all_attributes", "instancenorm_example", "layer_normalization_4d_axis2",
  "matmul_4d", "softmax_axis_1"];
const { create, globals } = createRequire(`${PROGRAMS}/`)("webgpu");
Object.assign(globalThis, globals);
Object.defineProperty(navigator, "gpu", { value: create(["backend=vulkan"]) });
const ort = await import(`${PROGRAMS}/node_modules/onnxruntime-web/dist/ort.webgpu.bundle.min.mjs`);
ort.env.wasm.numThreads = 1;
ort.env.logLevel = "error";
/* Nothing may run on the CPU instead. */
const OPTIONS = {
  executionProviders: ["webgpu"], extra: { session: { disable_cpu_ep_fallback: "1" } },
};

/* Reads a file with a TensorProto: dimensions (field 1), type (2; 7 is int64), numbers (4 or 9). */
function tensor(path) {
  const bytes = readFileSync(path), dims = [];
  let at = 0, type = 1, numbers = null;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint(), field = key >> 3, value = varint();
    if ((key & 7) === 0) {
      if (field === 1) dims.push(value);
      if (field === 2) type = value;
      continue;
    }
    if (field === 4 || field === 9) numbers = new Uint8Array(bytes.subarray(at, at + value)).buffer;
    at += value;
  }
  return type === 7 ? new ort.Tensor("int64", new BigInt64Array(numbers), dims) :
    new ort.Tensor("float32", new Float32Array(numbers), dims);
}

async function run(model, inputs) {
  const session = await ort.InferenceSession.create(readFileSync(model), OPTIONS);
  const named = Object.fromEntries(session.inputNames.map((name, i) => [name, inputs[i]]));
  const answers = await session.run(named), data = answers[session.outputNames[0]].data.slice();
  await session.release();
  return data;
}

let failed = 0;
function compare(name, answer, expected) {
  const close = (x, i) => Math.abs(x - expected[i]) <= 1e-4 + 1e-3 * Math.abs(expected[i]);
  const same = answer.length === expected.length && answer.every(close);
  console.log(`network ${name}: ${answer.length} numbers, ${same ? "OK" : "FAIL"}`);
  failed += !same;
}

const picture = Float32Array.from({ length: 3 * 224 * 224 }, (_, i) => Math.sin(i * 0.37));
const input = new ort.Tensor("float32", picture, [1, 3, 224, 224]);
compare("squeezenet", await run(`${DATA}/light/light_squeezenet.onnx`, [input]),
  tensor(`${DATA}/light/light_squeezenet_output_0.pb`).data);
for (const name of NETWORKS) {
  const network = `${DATA}/node/test_${name}`, set = `${network}/test_data_set_0`;
  const inputs = readdirSync(set).filter(file => file.startsWith("input_")).sort()
    .map(file => tensor(`${set}/${file}`));
  compare(name, await run(`${network}/model.onnx`, inputs), tensor(`${set}/output_0.pb`).data);
}
process.exit(failed ? 1 : 0);
