"""Sentences that say the same in several ways get one spelling before the grammar reads them."""

import re

from language.forms.addresses import normal as normal_addresses
from language.forms.pipelines import normal as normal_pipelines
from language.forms.queries import normal as normal_queries
from language.forms.resources import normal as normal_resources
from language.forms.vendor import normal as normal_vendor


def normal(text):
    text = text.strip().rstrip('.,')
    text = text.replace('VkPhysicalDeviceLimits::', 'VkPhysicalDeviceLimits::')
    text = re.sub(r'’', "'", text)
    text = re.sub(
        (
            r'^(The|Each|All|At least|Any|This|Both|Either|Only|One|There|Shader '
            r'instrumentation|VkPhysicalDevice(?!\\w)) '
        ),
        lambda g: g[0][0].lower() + g[0][1:],
        text,
    )
    text = re.sub(r'equal (?:to )?or (less|greater) than', r'\1 than or equal to', text)
    text = re.sub(r'\b(less|greater)(?:[ -]than)? or equal[ -]to\b', r'\1 than or equal to', text)
    text = re.sub(
        r'\bsmaller than\b', 'less than', re.sub(r'\blarger than\b', 'greater than', text)
    )
    text = re.sub(r'\bmust (less|greater) than', r'must be \1 than', text)
    text = re.sub(r'\bless-than or equal-to\b', 'less than or equal to', text)
    text = re.sub(r'^[Ee]ach element of', 'each element of', text)
    text = (
        re.sub(
            r'^For each element of pInfos\[i\] the', 'For each element of pInfos, the', text
        ).replace(' pInfos[i].scratchData', ' scratchData')
        if text.startswith('For each element of pInfos')
        else text
    )
    text = re.sub(r'(VK_\w+) the (buffer used|geometryType member)', r'\1, the \2', text)
    text = re.sub(r'(contains an entry of VK_\w+) (it|there) must', r'\1, \2 must', text)
    text = text.removesuffix('. Furthermore the alignment of each token input must be ensured')
    text = re.sub(r'\bmust enabled\b', 'must be enabled', text)
    return normal_vendor(normal_queries(normal_addresses(normal_resources(normal_pipelines(text)))))
