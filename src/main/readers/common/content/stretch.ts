/** A stretch of a person's message: their own words, or what the program put there. */
export interface WordStretch {
  readonly content: string
  /** The wrapper's name; undefined for a person's own words. */
  readonly wrapper: string | undefined
}

/**
 * Splits what a program put into a person's message from their own words. Only the beginning of the text counts: the same
 * words further on are the person's. Nothing of the text is lost but white space between the stretches; at least one.
 *
 * @param inFront tags that the program puts in front of a person's words
 * @param whole how a text begins that is the program's, all of it, and the name of that
 */
export function splitTagged(
  text: string,
  inFront: readonly string[],
  whole: readonly (readonly [begin: string, wrapper: string])[],
): readonly WordStretch[] {
  const stretches: WordStretch[] = []
  let rest = text
  for (;;) {
    const trimmed = rest.trimStart()
    const wrapper = inFront.find((name) => trimmed.startsWith(`<${name}>`))
    const close = wrapper === undefined ? -1 : trimmed.indexOf(`</${wrapper}>`)
    if (wrapper === undefined || close === -1) break
    const end = close + wrapper.length + 3
    stretches.push({ content: trimmed.slice(0, end), wrapper })
    rest = trimmed.slice(end)
  }
  if (stretches.length > 0 && rest.trim() === '') return stretches
  const own = stretches.length === 0 ? rest : rest.trimStart()
  const begin = own.trimStart()
  const known = whole.find(([words]) => begin.startsWith(words))
  return [...stretches, { content: own, wrapper: known?.[1] }]
}
