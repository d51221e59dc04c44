/* Keys of video profiles, by which a session's profile is compared with that of an image, a buffer
 * or a query pool (42.8 "Video Profile Compatibility"). Usage hints do not count. Two profiles with
 * different keys differ. Threads: any; nothing is kept. */
#ifndef ASSAY_STATE_VIDEO_PROFILE_H
#define ASSAY_STATE_VIDEO_PROFILE_H

#include "base/base.h"
#include "vk/vulkan.h"

#define VIDEO_PROFILE_UNKNOWN 0
#define VIDEO_PROFILE_NONE    1 /* no profile was given */

/* The key of a profile. `chain`: where the structure of its codec is. */
uint64_t video_profile_key(const VkVideoProfileInfoKHR *profile, const void *chain);
/* The key of the profile in the chain of a query pool's create info. */
uint64_t video_profile_of_queries(const void *chain);

/* The profiles that the create info of a resource lists, as a set that may have others, too. It is
 * 0 without a list. `independent`: the resource is for all profiles. */
uint64_t video_profiles_listed(const void *chain, bool independent);
/* False if the set certainly does not have the profile. */
static inline bool video_profiles_may_have(uint64_t set, uint64_t key)
{
    return !set || key <= VIDEO_PROFILE_NONE || set >> 63 || set >> key % 63 & 1;
}

#endif
