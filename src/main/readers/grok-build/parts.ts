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

/** Joins what a call showed before and what it shows now: texts are told anew, and a change of a file or another part stays unless it is. */
export function mergedParts(before: unknown, now: unknown): readonly unknown[] {
  const later = shownParts(now)
  const hasText = later.some(({ type }) => type === 'text')
  const told = new Set(later.map(markOf))
  const kept = partsIn(before).filter((part) => {
    const one = partOf(part)
    return one.type === 'text' ? !hasText : !told.has(markOf(one))
  })
  return [...kept, ...partsIn(now)]
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
