/* Declares the text of the HTML report's page (html/) before its data and after it. html/embed.py
 * makes it at build time. */
#ifndef ASSAY_TOOL_REPORT_PAGE_H
#define ASSAY_TOOL_REPORT_PAGE_H

#include <stddef.h>

extern const unsigned char report_page_head[], report_page_tail[];
extern const size_t report_page_head_size, report_page_tail_size;

#endif
