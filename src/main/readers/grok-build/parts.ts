import { isJsonObject } from '../../../shared/model/basics/json-object'
import { jsonText } from '../common/drafts'

/** A part of what a call shows. */
type ShownPart =
  | { readonly type: 'text'; readonly text: string }
  /** A change of a file, as its old and its new text. */
  | { readonly type: 'diff'; readonly path: string; readonly text: string }
  | { readonly type: 'other'; readonly value: unknown }

/** Splits what a call shows: a list of parts, or one. */
export function shownParts(content: unknown): readonly ShownPart[] {
  return partsIn(content).map(partOf)
}

/** Parts that a call shows, update by update: texts are told anew, and a change of a file or another part stays unless it is. */
export class MergedParts {
  private readonly parts = new Map<number, unknown>()
  /** The numbers of the parts that say the same thing, by their mark. */
  private readonly marked = new Map<string, number[]>()
  private next = 0

  /** Takes what is shown now; costs that alone. */
  tell(content: unknown): void {
    const now = partsIn(content).map((part) => ({ part, mark: markOf(partOf(part)) }))
    for (const { mark } of now) {
      for (const number of this.marked.get(mark) ?? []) this.parts.delete(number)
      this.marked.delete(mark)
    }
    for (const { part, mark } of now) {
      const numbers = this.marked.get(mark)
      if (numbers === undefined) this.marked.set(mark, [this.next])
      else numbers.push(this.next)
      this.parts.set(this.next, part)
      this.next += 1
    }
  }

  /** Lists all, in the order in which they were told last. */
  list(): readonly unknown[] {
    return [...this.parts.values()]
  }
}

function partsIn(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content
  return content === undefined || content === null || content === '' ? [] : [content]
}

function partOf(part: unknown): ShownPart {
  const value = isJsonObject(part) && isJsonObject(part.content) ? part.content : part
  if (typeof value === 'string') return { type: 'text', text: value }
  if (!isJsonObject(value)) return { type: 'other', value }
  const { text, newText, oldText, path } = value
  if (typeof text === 'string') return { type: 'text', text }
  if (typeof newText !== 'string') return { type: 'other', value }
  const lines = (words: string, sign: string) =>
    words === '' ? [] : words.split('\n').map((line) => `${sign}${line}`)
  const old = typeof oldText === 'string' ? oldText : ''
  const diff = [jsonText(path), ...lines(old, '-'), ...lines(newText, '+')].join('\n')
  return { type: 'diff', path: jsonText(path), text: diff }
}

function markOf(part: ShownPart): string {
  if (part.type === 'diff') return `diff ${part.path}`
  return part.type === 'text' ? part.type : JSON.stringify(part.value)
}
