/* The page of the HTML report (html/), before its data and after it. Made at build by
 * html/embed.py. */
#ifndef ASSAY_TOOL_REPORT_PAGE_H
#define ASSAY_TOOL_REPORT_PAGE_H

#include <stddef.h>

extern const unsigned char report_page_head[], report_page_tail[];
extern const size_t report_page_head_size, report_page_tail_size;

#endif
