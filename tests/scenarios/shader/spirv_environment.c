/* Breaks what the appendix "Vulkan Environment for SPIR-V" says of a module by itself
 * (StandaloneSpirv). Each statement has a module of its own (shaders/environment.spvasm), which
 * SPIRV-Tools finds. Capabilities that the device lacks are another rule. */
#include "scenario.h"

#include "spirv_environment.h"

#define MODULE(name_, ...)                                                            \
    SCENARIO(name_, .drivers = NULL_DRIVER,                                           \
             .allow = {"VUID-VkShaderModuleCreateInfo-pCode-08740",                   \
                       "VUID-VkShaderModuleCreateInfo-pCode-08742"},                  \
             ##__VA_ARGS__)                                                           \
    {                                                                                 \
        VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, \
                                         .codeSize = sizeof(spirv_##name_),           \
                                         .pCode = spirv_##name_};                     \
        create_shader_module(b, &info);                                               \
    }
#define WRONG(name_, vuid_) MODULE(name_, .expect = {vuid_})
/* SPIRV-Tools names the statement inside of its message. */
#define WRONG_IN_PART(name_, vuid_) \
    MODULE(name_, .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08737"}, .text = {vuid_})

MODULE(right_compute)
WRONG(wrong_04633, "VUID-StandaloneSpirv-None-04633")
WRONG(wrong_04634, "VUID-StandaloneSpirv-None-04634")
WRONG(wrong_04636, "VUID-StandaloneSpirv-None-04636")
WRONG(wrong_04638, "VUID-StandaloneSpirv-None-04638")
WRONG(wrong_04641, "VUID-StandaloneSpirv-None-04641")
WRONG(wrong_04642, "VUID-StandaloneSpirv-None-04642")
WRONG(wrong_04643, "VUID-StandaloneSpirv-None-04643")
WRONG_IN_PART(wrong_04644, "VUID-StandaloneSpirv-None-04644")
WRONG_IN_PART(wrong_04645, "VUID-StandaloneSpirv-None-04645")
WRONG(wrong_04651, "VUID-StandaloneSpirv-OpVariable-04651")
WRONG(wrong_04652, "VUID-StandaloneSpirv-OpReadClockKHR-04652")
WRONG(wrong_04653, "VUID-StandaloneSpirv-OriginLowerLeft-04653")
WRONG(wrong_04654, "VUID-StandaloneSpirv-PixelCenterInteger-04654")
WRONG(wrong_04655, "VUID-StandaloneSpirv-UniformConstant-04655")
WRONG(wrong_04656, "VUID-StandaloneSpirv-OpTypeImage-04656")
WRONG(wrong_04657, "VUID-StandaloneSpirv-OpTypeImage-04657")
WRONG(wrong_04658, "VUID-StandaloneSpirv-OpImageTexelPointer-04658")
WRONG(wrong_04659, "VUID-StandaloneSpirv-OpImageQuerySizeLod-04659")
WRONG(wrong_04660, "VUID-StandaloneSpirv-SubpassData-04660")
WRONG(wrong_04664, "VUID-StandaloneSpirv-OpImageGather-04664")
WRONG(wrong_04667, "VUID-StandaloneSpirv-None-04667")
WRONG(wrong_04669, "VUID-StandaloneSpirv-GLSLShared-04669")
WRONG(wrong_04670, "VUID-StandaloneSpirv-Flat-04670")
/* The device lacks what its capabilities need, and what its block needs. */
MODULE(wrong_04675, .expect = {"VUID-StandaloneSpirv-FPRoundingMode-04675",
                               "VUID-RuntimeSpirv-storageBuffer16BitAccess-11161"})
WRONG(wrong_04677, "VUID-StandaloneSpirv-Invariant-04677")
WRONG(wrong_04680, "VUID-StandaloneSpirv-OpTypeRuntimeArray-04680")
WRONG_IN_PART(wrong_04682, "VUID-StandaloneSpirv-OpControlBarrier-04682")
WRONG(wrong_04685, "VUID-StandaloneSpirv-OpGroupNonUniformBallotBitCount-04685")
WRONG_IN_PART(wrong_04698, "VUID-StandaloneSpirv-RayPayloadKHR-04698")
WRONG_IN_PART(wrong_04699, "VUID-StandaloneSpirv-IncomingRayPayloadKHR-04699")
WRONG(wrong_04700, "VUID-StandaloneSpirv-IncomingRayPayloadKHR-04700")
WRONG_IN_PART(wrong_04701, "VUID-StandaloneSpirv-HitAttributeKHR-04701")
WRONG(wrong_04702, "VUID-StandaloneSpirv-HitAttributeKHR-04702")
WRONG_IN_PART(wrong_04703, "VUID-StandaloneSpirv-HitAttributeKHR-04703")
WRONG_IN_PART(wrong_04704, "VUID-StandaloneSpirv-CallableDataKHR-04704")
WRONG_IN_PART(wrong_04705, "VUID-StandaloneSpirv-IncomingCallableDataKHR-04705")
WRONG(wrong_04706, "VUID-StandaloneSpirv-IncomingCallableDataKHR-04706")
WRONG_IN_PART(wrong_07119, "VUID-StandaloneSpirv-ShaderRecordBufferKHR-07119")
WRONG(wrong_04708, "VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708")
WRONG(wrong_04710, "VUID-StandaloneSpirv-PhysicalStorageBuffer64-04710")
WRONG(wrong_06314, "VUID-StandaloneSpirv-PhysicalStorageBuffer64-06314")
WRONG(wrong_04711, "VUID-StandaloneSpirv-OpTypeForwardPointer-04711")
MODULE(wrong_04734, .expect = {"VUID-RuntimeSpirv-shaderZeroInitializeWorkgroupMemory-06372",
                               "VUID-StandaloneSpirv-OpVariable-04734"})
WRONG(wrong_04777, "VUID-StandaloneSpirv-OpImage-04777")
WRONG(wrong_04780, "VUID-StandaloneSpirv-Result-04780")
WRONG(wrong_04744, "VUID-StandaloneSpirv-Flat-04744")
WRONG(wrong_04915, "VUID-StandaloneSpirv-Location-04915")
WRONG(wrong_04916, "VUID-StandaloneSpirv-Location-04916")
WRONG(wrong_04918, "VUID-StandaloneSpirv-Location-04918")
WRONG(wrong_04919, "VUID-StandaloneSpirv-Location-04919")
WRONG(wrong_04917, "VUID-StandaloneSpirv-Location-04917")
WRONG(wrong_04920, "VUID-StandaloneSpirv-Component-04920")
WRONG(wrong_04921, "VUID-StandaloneSpirv-Component-04921")
WRONG(wrong_04922, "VUID-StandaloneSpirv-Component-04922")
WRONG(wrong_04923, "VUID-StandaloneSpirv-Component-04923")
WRONG(wrong_07703, "VUID-StandaloneSpirv-Component-07703")
WRONG(wrong_10583, "VUID-StandaloneSpirv-Component-10583")
WRONG(wrong_04965, "VUID-StandaloneSpirv-Image-04965")
WRONG(wrong_06201, "VUID-StandaloneSpirv-Flat-06201")
WRONG(wrong_06202, "VUID-StandaloneSpirv-Flat-06202")
WRONG(wrong_06214, "VUID-StandaloneSpirv-OpTypeImage-06214")
WRONG(wrong_06491, "VUID-StandaloneSpirv-DescriptorSet-06491")
WRONG(wrong_06672, "VUID-StandaloneSpirv-Location-06672")
WRONG(wrong_06673, "VUID-StandaloneSpirv-OpVariable-06673")
WRONG(wrong_06674, "VUID-StandaloneSpirv-OpEntryPoint-06674")
WRONG(wrong_06675, "VUID-StandaloneSpirv-PushConstant-06675")
WRONG(wrong_06676, "VUID-StandaloneSpirv-Uniform-06676")
WRONG(wrong_06677, "VUID-StandaloneSpirv-UniformConstant-06677")
WRONG(wrong_06678, "VUID-StandaloneSpirv-InputAttachmentIndex-06678")
WRONG(wrong_06777, "VUID-StandaloneSpirv-PerVertexKHR-06777")
WRONG(wrong_06778, "VUID-StandaloneSpirv-Input-06778")
WRONG(wrong_06807, "VUID-StandaloneSpirv-Uniform-06807")
WRONG(wrong_06808, "VUID-StandaloneSpirv-PushConstant-06808")
WRONG(wrong_06925, "VUID-StandaloneSpirv-Uniform-06925")
WRONG(wrong_07290, "VUID-StandaloneSpirv-Input-07290")
WRONG_IN_PART(wrong_07320, "VUID-StandaloneSpirv-ExecutionModel-07320")
WRONG_IN_PART(wrong_07321, "VUID-StandaloneSpirv-None-07321")
WRONG(wrong_07650, "VUID-StandaloneSpirv-Base-07650")
WRONG(wrong_07651, "VUID-StandaloneSpirv-Base-07651")
WRONG(wrong_07652, "VUID-StandaloneSpirv-Base-07652")
WRONG(wrong_08721, "VUID-StandaloneSpirv-OpEntryPoint-08721")
WRONG(wrong_08722, "VUID-StandaloneSpirv-OpEntryPoint-08722")
WRONG(wrong_09658, "VUID-StandaloneSpirv-OpEntryPoint-09658")
WRONG(wrong_09557, "VUID-StandaloneSpirv-Input-09557")
WRONG(wrong_10685, "VUID-StandaloneSpirv-None-10685")
WRONG(wrong_07330, "VUID-StandaloneSpirv-MeshEXT-07330")
WRONG(wrong_07331, "VUID-StandaloneSpirv-MeshEXT-07331")
WRONG_IN_PART(wrong_07107, "VUID-StandaloneSpirv-MeshEXT-07107")
WRONG(wrong_07102, "VUID-StandaloneSpirv-MeshEXT-07102")
WRONG(wrong_10151, "VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151")
WRONG(wrong_10152, "VUID-StandaloneSpirv-DerivativeGroupLinearKHR-10152")
WRONG(wrong_10213, "VUID-RuntimeSpirv-Offset-10213")
WRONG(wrong_08737, "VUID-VkShaderModuleCreateInfo-pCode-08737")
