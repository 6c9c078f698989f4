/** Puts a text into a code block whose fence nothing in the text can close. Line ends must be LF. */
export function fencedBlock(text: string, language = ''): string {
  const runs = text.match(/`+/g) ?? []
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}

/** Escapes everything that Markdown could take for a mark in a line of the document's own. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/[\\`*[\]!&|#]/g, '\\$&')
      // A home folder's `~/` strikes nothing out.
      .replace(/~(?!(?<=(?<!\S)~)\/)/g, '\\~')
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      .replace(/</g, '&lt;')
  )
}

/** Makes a quotation of Markdown. */
export function blockQuote(markdown: string): string {
  return markdown.replace(/^/gm, '> ')
}
