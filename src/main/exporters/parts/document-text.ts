import { isoTime } from '../../../shared/model/basics/time'
import { visibleText } from '../../../shared/model/basics/visible'
import { wellFormed } from '../../../shared/model/basics/well-formed'

/**
 * Makes a text visible for a document: line ends as LF, controls as pictures (␛ for escape, ⟨U+202E⟩ for a
 * right-to-left override), halves of characters as U+FFFD, which UTF-8 would make of them anyway.
 */
export function documentText(text: string): string {
  return wellFormed(visibleText(text.replace(/\r\n?/g, '\n')))
}

/** Makes a text visible on one line, for names and titles. */
export function documentLine(text: string): string {
  return documentText(text).replace(/\s+/g, ' ').trim()
}

/**
 * Formats a time for people (`2026-11-26 14:06 UTC`) and for machines. Undefined where there is none, and for a
 * number outside the calendar.
 */
export function documentTime(
  seconds: number | null,
): { readonly shown: string; readonly iso: string } | undefined {
  const iso = isoTime(seconds ?? undefined)
  return iso === null ? undefined : { shown: formatUtcMinute(iso), iso }
}

/** Formats an ISO time for people: `2026-11-26 14:06 UTC`. */
export function formatUtcMinute(iso: string): string {
  return `${iso.slice(0, -8).replace('T', ' ')} UTC`
}
