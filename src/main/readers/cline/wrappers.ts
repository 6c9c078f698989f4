import { type TaggedText, taggedTexts, withoutTagged } from './tags'

/** A text of a message in a person's name, taken apart. */
export type UserText =
  /** A person's own words. */
  | { readonly type: 'said'; readonly text: string }
  /** A text of the program. */
  | { readonly type: 'injected'; readonly text: string }
  /** The answer of a tool, in formats that have no other place for it. */
  | { readonly type: 'result'; readonly tool: string; readonly text: string }

/** In these a person's own words are handed to the model. */
const ownWords: ReadonlySet<string> = new Set([
  'task',
  'feedback',
  'user_message',
  'answer',
  'user_feedback',
])

const resultHead = /^\[([a-z_]+)(?: for [\s\S]*?)?\] Result:[ \t]*\n?/

const injectedHead =
  /^\s*(?:<environment_details>|<explicit_instructions|\[TASK RESUMPTION\]|\[ERROR\]|# task_progress)/

/**
 * Takes a text of a message in a person's name apart. Cline hands a person's words over in tags, and puts what it knows of the editor
 * and what tools answered into texts of their own; the same words inside of a text are the person's. What the editor shows is left out.
 */
export function userText(text: string): readonly UserText[] {
  const [head, tool] = resultHead.exec(text) ?? []
  if (head !== undefined && tool !== undefined) {
    const rest = text.slice(head.length)
    const said = taggedTexts(rest, (name) => name !== 'task' && ownWords.has(name))
    const answer: UserText = { type: 'result', tool, text: withoutTagged(rest, said).trim() }
    return [answer, ...said.map(saidIn)]
  }
  if (isOfEditor(text)) return []
  if (injectedHead.test(text)) return [{ type: 'injected', text }]
  const said = taggedTexts(text, (name) => ownWords.has(name))
  const [first] = said
  // Only what begins with the tag is a wrapper.
  if (first === undefined || text.slice(0, first.start).trim() !== '')
    return text.trim() === '' ? [] : [{ type: 'said', text }]
  const rest = withoutTagged(text, said).trim()
  const isMore = rest !== '' && !isOfEditor(rest)
  return [...said.map(saidIn), ...(isMore ? [{ type: 'injected', text: rest } as const] : [])]
}

/** Returns true for what the editor shows: it is told with every message, and is often longer than all others. */
function isOfEditor(text: string): boolean {
  const whole = text.trim()
  return whole.startsWith('<environment_details>') && whole.endsWith('</environment_details>')
}

function saidIn({ text }: TaggedText): UserText {
  return { type: 'said', text: text.trim() }
}

/** Returns the folder that the program tells the model it works in; undefined where the text does not say. */
export function folderIn(text: string): string | undefined {
  return /^# Current (?:Working|Workspace) Directory \((.+)\) Files/m.exec(text)?.[1]
}
