import { documentLine, documentText } from '../parts/document-text'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for an element or an attribute, so that nothing of it is markup. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Escapes a text for an element, controls made visible, line ends as LF. */
export function htmlText(text: string): string {
  return escapeHtml(documentText(text))
}

/**
 * Makes a `<bdi>` element of a name or a title: one line, whose text direction does not reach over to its
 * neighbours.
 */
export function htmlName(text: string): string {
  return `<bdi>${escapeHtml(documentLine(text))}</bdi>`
}
