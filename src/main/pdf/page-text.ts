import type { PdfReading } from '../../shared/model/attachments/pdf'
import { wellFormed } from '../../shared/model/basics/well-formed'

/** Text of a page as it was read; undefined where it could not be. */
export type ReadPage = string | undefined

/** Words about a file that pdf.js makes nothing of. */
export const unreadableFault = 'cannot be read: it is damaged, or no PDF'

/** Puts pages together: each behind a line with its number, so that a model can name it. A PDF of one page is its text alone. */
export function textOfPages(pages: readonly ReadPage[]): PdfReading {
  const texts = pages.map((page) => (page === undefined ? undefined : plainText(page).trim()))
  const unread = texts.filter((text) => text === undefined).length
  const empty = texts.filter((text) => text === '').length
  if (unread === pages.length) return { fault: unreadableFault }
  if (unread + empty === pages.length) return { fault: 'has no text: its pages are pictures' }
  const text =
    pages.length === 1
      ? (texts[0] ?? '')
      : texts.map((one, at) => `[Page ${at + 1}${wordsOf(one)}]\n${one ?? ''}`.trim()).join('\n\n')
  return { text, pages: pages.length, empty, unread }
}

/** Without controls but tabs and line feeds, which no page has, and without halves of surrogate pairs. */
function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to leave out
  return wellFormed(text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f]/g, ''))
}

function wordsOf(text: ReadPage): string {
  if (text === undefined) return ', which cannot be read'
  return text === '' ? ', which has no text' : ''
}
