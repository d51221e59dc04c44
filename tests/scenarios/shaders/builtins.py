#!/usr/bin/env python3
"""Writes modules that use a built-in in some way, for assemble.py.  builtins.py LIST > FILE

LIST has a module a line: `NAME BUILTIN MODEL STORAGE TYPE [option...]`. The module's entry point,
of that execution model, loads a variable of that storage class and type that is decorated as the
built-in, or stores to it. Options: `perprimitive` (decorates it so), `block` (it is a member of a
block), `blocks` (of an array of blocks), `patch`, `flat` (decorate it so), `twice` (two such
variables), `noreplace` (a fragment shader without DepthReplacing), `MODE=VALUE...` (an execution
mode more)."""

import sys

MODES = {
    'Vertex': [],
    'Fragment': ['OriginUpperLeft'],
    'GLCompute': ['LocalSize 1 1 1'],
    'TessellationControl': ['OutputVertices 1'],
    'TessellationEvaluation': ['Triangles', 'SpacingEqual', 'VertexOrderCcw'],
    'Geometry': ['InputPoints', 'OutputPoints', 'OutputVertices 1', 'Invocations 1'],
    'MeshEXT': [
        'LocalSize 1 1 1',
        'OutputVertices 3',
        'OutputPrimitivesEXT 1',
        'OutputTrianglesEXT',
    ],
    'TaskEXT': ['LocalSize 1 1 1'],
    'RayGenerationKHR': [],
    'AnyHitKHR': [],
    'ClosestHitKHR': [],
    'MissKHR': [],
    'IntersectionKHR': [],
    'CallableKHR': [],
}
CAPABILITIES = {
    'TessellationControl': ['Tessellation'],
    'TessellationEvaluation': ['Tessellation'],
    'Geometry': ['Geometry'],
    'MeshEXT': ['MeshShadingEXT'],
    'TaskEXT': ['MeshShadingEXT'],
}
EXTENSIONS = {
    'MeshShadingEXT': 'SPV_EXT_mesh_shader',
    'RayTracingKHR': 'SPV_KHR_ray_tracing',
    'RayCullMaskKHR': 'SPV_KHR_ray_cull_mask',
    'RayTracingPositionFetchKHR': 'SPV_KHR_ray_tracing_position_fetch',
    'FragmentBarycentricKHR': 'SPV_KHR_fragment_shader_barycentric',
    'FragmentDensityEXT': 'SPV_EXT_fragment_invocation_density',
    'StencilExportEXT': 'SPV_EXT_shader_stencil_export',
    'FragmentFullyCoveredEXT': 'SPV_EXT_fragment_fully_covered',
    'FragmentShadingRateKHR': 'SPV_KHR_fragment_shading_rate',
    'TileShadingQCOM': 'SPV_QCOM_tile_shading',
    'RayTracingMotionBlurNV': 'SPV_NV_ray_tracing_motion_blur',
    'ShaderViewportIndexLayerEXT': 'SPV_EXT_shader_viewport_index_layer',
}
OF_BUILTIN = {
    'BaryCoordKHR': 'FragmentBarycentricKHR',
    'BaryCoordNoPerspKHR': 'FragmentBarycentricKHR',
    'BaseInstance': 'DrawParameters',
    'BaseVertex': 'DrawParameters',
    'DrawIndex': 'DrawParameters',
    'ClipDistance': 'ClipDistance',
    'CullDistance': 'CullDistance',
    'CullMaskKHR': 'RayCullMaskKHR',
    'DeviceIndex': 'DeviceGroup',
    'FragInvocationCountEXT': 'FragmentDensityEXT',
    'FragSizeEXT': 'FragmentDensityEXT',
    'FragStencilRefEXT': 'StencilExportEXT',
    'FullyCoveredEXT': 'FragmentFullyCoveredEXT',
    'HitTriangleVertexPositionsKHR': 'RayTracingPositionFetchKHR',
    'Layer': 'ShaderLayer',
    'ViewportIndex': 'ShaderViewportIndex',
    'NumSubgroups': 'GroupNonUniform',
    'SubgroupId': 'GroupNonUniform',
    'SubgroupSize': 'GroupNonUniform',
    'SubgroupLocalInvocationId': 'GroupNonUniform',
    'SubgroupEqMask': 'GroupNonUniformBallot',
    'SubgroupGeMask': 'GroupNonUniformBallot',
    'SubgroupGtMask': 'GroupNonUniformBallot',
    'SubgroupLeMask': 'GroupNonUniformBallot',
    'SubgroupLtMask': 'GroupNonUniformBallot',
    'PrimitiveShadingRateKHR': 'FragmentShadingRateKHR',
    'ShadingRateKHR': 'FragmentShadingRateKHR',
    'SampleId': 'SampleRateShading',
    'SamplePosition': 'SampleRateShading',
    'ViewIndex': 'MultiView',
    'TileOffsetQCOM': 'TileShadingQCOM',
    'TileDimensionQCOM': 'TileShadingQCOM',
    'TileApronSizeQCOM': 'TileShadingQCOM',
    'PrimitiveId': 'Geometry',
    'InvocationId': 'Geometry',
    'PatchVertices': 'Tessellation',
    'TessCoord': 'Tessellation',
    'TessLevelInner': 'Tessellation',
    'TessLevelOuter': 'Tessellation',
    'CullPrimitiveEXT': 'MeshShadingEXT',
    'PrimitivePointIndicesEXT': 'MeshShadingEXT',
    'PrimitiveLineIndicesEXT': 'MeshShadingEXT',
    'PrimitiveTriangleIndicesEXT': 'MeshShadingEXT',
    'HitTNV': 'RayTracingMotionBlurNV',
}
RAY = {
    'HitKindKHR',
    'HitTNV',
    'IncomingRayFlagsKHR',
    'InstanceCustomIndexKHR',
    'InstanceId',
    'LaunchIdKHR',
    'LaunchSizeKHR',
    'ObjectRayDirectionKHR',
    'ObjectRayOriginKHR',
    'ObjectToWorldKHR',
    'RayGeometryIndexKHR',
    'RayTmaxKHR',
    'RayTminKHR',
    'WorldRayDirectionKHR',
    'WorldRayOriginKHR',
    'WorldToObjectKHR',
    'CullMaskKHR',
    'HitTriangleVertexPositionsKHR',
}
TYPES = {
    'f32': 'f32',
    'u32': 'u32',
    'bool': 'bool',
    'f2': 'v2f',
    'f3': 'v3f',
    'f4': 'v4f',
    'u2': 'v2u',
    'u3': 'v3u',
    'u4': 'v4u',
    'm43': 'm43',
    'u64': 'u64',
}


def module(out, name, builtin, model, storage, type_, options):
    capabilities = (['Shader', 'Int64'] if type_ == 'u64' else ['Shader']) + CAPABILITIES.get(
        model, []
    )
    if builtin in OF_BUILTIN:
        capabilities.append(OF_BUILTIN[builtin])
    if builtin in RAY or (
        model not in ('Vertex', 'Fragment', 'GLCompute', 'Geometry') and model not in CAPABILITIES
    ):
        capabilities.append('RayTracingKHR')
    extensions = {EXTENSIONS[c] for c in capabilities if c in EXTENSIONS}
    modes = list(MODES[model])
    if model == 'Fragment' and builtin in ('FragDepth',) and 'noreplace' not in options:
        modes.append('DepthReplacing')
    for o in options:
        if '=' in o:
            mode, value = o.split('=')
            modes = [m for m in modes if m.split()[0] != mode]
            if value:
                modes.append(f'{mode} {value}' if value != 'yes' else mode)
        if o.startswith('-'):
            modes = [m for m in modes if m != o[1:]]
    variables = ['%var', '%var2'] if 'twice' in options else ['%var']
    w = lambda *lines: out.extend(lines)
    w(
        f';; {name}',
        *(f'OpCapability {c}' for c in dict.fromkeys(capabilities)),
        *(f'OpExtension "{e}"' for e in sorted(extensions)),
    )
    interface = '' if storage == 'Constant' else ' ' + ' '.join(variables)
    w(
        'OpMemoryModel Logical GLSL450',
        f'OpEntryPoint {model} %main "main"{interface}',
        *(f'OpExecutionMode %main {m}' for m in modes),
    )
    block = 'block' in options or 'blocks' in options
    for v in variables:
        if not block:
            w(f'OpDecorate {v} BuiltIn {builtin}')
        if 'perprimitive' in options and not block:
            w(f'OpDecorate {v} PerPrimitiveEXT')
        if 'patch' in options:
            w(f'OpDecorate {v} Patch')
        if 'flat' in options:
            w(f'OpDecorate {v} Flat')
    if block:
        w('OpDecorate %block Block', f'OpMemberDecorate %block 0 BuiltIn {builtin}')
        if 'perprimitive' in options:
            w('OpMemberDecorate %block 0 PerPrimitiveEXT')
    w(
        '%void = OpTypeVoid',
        '%fn = OpTypeFunction %void',
        '%f32 = OpTypeFloat 32',
        '%u32 = OpTypeInt 32 0',
        *(['%u64 = OpTypeInt 64 0'] if type_ == 'u64' else []),
        '%bool = OpTypeBool',
        '%v2f = OpTypeVector %f32 2',
        '%v3f = OpTypeVector %f32 3',
        '%v4f = OpTypeVector %f32 4',
        '%v2u = OpTypeVector %u32 2',
        '%v3u = OpTypeVector %u32 3',
        '%v4u = OpTypeVector %u32 4',
        '%m43 = OpTypeMatrix %v3f 4',
        '%n1 = OpConstant %u32 1',
        '%n2 = OpConstant %u32 2',
        '%n3 = OpConstant %u32 3',
        '%n4 = OpConstant %u32 4',
    )
    base, _, dimensions = type_.partition('[')
    current = '%' + TYPES[base]
    for i, d in enumerate(dimensions.replace(']', '').split('[') if dimensions else []):
        w(f'%array{i} = OpTypeArray {current} %n{d}')
        current = f'%array{i}'
    if block:
        w(f'%block = OpTypeStruct {current}')
        current = '%block'
    if 'blocks' in options:
        n = '2' if 'wrong' in options else '1'
        w(f'%blocks = OpTypeArray %block %n{n}')
        current = '%blocks'
    if storage == 'Constant':
        w(
            f'%var = OpConstantComposite {current} ' + ' '.join(['%n1'] * int(base[1:]))
            if base in ('u2', 'u3', 'u4')
            else f'%var = OpConstant {current} 1'
        )
    else:
        w(
            f'%ptr = OpTypePointer {storage} {current}',
            *(f'{v} = OpVariable %ptr {storage}' for v in variables),
        )
    w(f'%null = OpConstantNull {current}', '%main = OpFunction %void None %fn', '%label = OpLabel')
    for i, v in enumerate(variables):
        if storage == 'Constant':
            w(f'%copy{i} = OpCopyObject {current} {v}')
        elif storage == 'Output':
            w(f'OpStore {v} %null')
        else:
            w(f'%value{i} = OpLoad {current} {v}')
    w('OpReturn', 'OpFunctionEnd')


def main():
    out = []
    with open(sys.argv[1], encoding='utf-8') as f:
        for line in f:
            if line.strip() and not line.startswith('#'):
                name, builtin, model, storage, type_, *options = line.split()
                module(out, name, builtin, model, storage, type_, options)
    print('\n'.join(out))


if __name__ == '__main__':
    main()
