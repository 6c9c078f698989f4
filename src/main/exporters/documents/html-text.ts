import { documentLine, documentText } from '../parts/document-text'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for an element or an attribute: nothing of it can be markup. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** A text as it stands in a file, line by line. */
export function htmlText(text: string): string {
  return escapeHtml(documentText(text))
}

/** A name or a title: one line, whose direction cannot reach over to what stands beside it. */
export function htmlName(text: string): string {
  return `<bdi>${escapeHtml(documentLine(text))}</bdi>`
}
