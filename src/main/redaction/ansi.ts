/** Escape sequences of terminals that style text, erase, or begin a link: as bytes, and as programs and JSON spell them. */
export const terminalStyles =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /(?:\u001b|\^\[|\\{1,16}(?:[eE]|0?33|x1[bB]|u001[bB]|u\{1[bB]\}))(?:\[[0-9;:?]{0,40}[A-Za-z]|\]8;[A-Za-z0-9=:_-]{0,100};)/g

/** Puts blanks in the place of escape sequences, as many as they have characters: no letters of the words beside them. */
export function blankStyles(text: string): string {
  return mayHaveStyles(text)
    ? text.replace(terminalStyles, (found) => ' '.repeat(found.length))
    : text
}

/** Tells whether a text may have escape sequences: a quick look before the slow one. */
export function mayHaveStyles(text: string): boolean {
  return text.includes('\u001b') || text.includes('^[') || text.includes('\\')
}
