/** Answer as far as it came: its text and its reasoning. */
interface Texts {
  readonly content: string
  readonly reasoning: string
}

/** Makes thoughts of all that came as words: the model had closed thoughts that nobody had opened. */
export function separateThoughts({ content, reasoning }: Texts): Texts {
  const thoughts = [reasoning, content.trim()].filter((text) => text !== '')
  return { content: '', reasoning: thoughts.join('\n\n') }
}
