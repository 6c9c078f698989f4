import { structuredPatch } from 'diff'
import { isJsonObject, type JsonObject } from '../basics/json-object'
import type { Entry } from '../conversation/entry'

/** Longest arguments that are shown as a diff, in characters. */
const longest = 200_000
const oldNames = ['old_string', 'old_str', 'oldText', 'oldContent', 'old_content'] as const
const newNames = ['new_string', 'new_str', 'newText', 'newContent', 'new_content'] as const
const wholeNames = ['content', 'file_text', 'fileText', 'text'] as const
const pathNames = ['path', 'file_path', 'filePath', 'file', 'filename', 'fileName'] as const

/** A call of a tool as the change of a file that it asks for. */
export interface EditDiff {
  readonly path: string
  /** A unified diff; its line numbers count within the part that is changed. */
  readonly diff: string
  readonly added: number
  readonly removed: number
}

/**
 * Returns the change of a file that a call asks for, as far as its arguments say: an old and a new text, or the whole
 * content. Undefined for other calls, for long ones, and where the arguments are no JSON.
 */
export function editDiff({ entry_type, content }: Entry): EditDiff | undefined {
  if (entry_type !== 'tool_call' || content.length > longest) return undefined
  const args = parsed(content)
  const path = args === undefined ? undefined : first(args, pathNames)
  if (args === undefined || path === undefined || path === '') return undefined
  const now = first(args, newNames)
  const before = first(args, oldNames)
  if (now !== undefined || before !== undefined) return diffOf(path, before ?? '', now ?? '')
  const whole = first(args, wholeNames)
  return whole === undefined ? undefined : diffOf(path, '', whole)
}

function diffOf(path: string, before: string, now: string): EditDiff {
  // A missing line end at the end of a part of a file is none of the file's.
  const { hunks } = structuredPatch(path, path, closed(before), closed(now), '', '', {
    context: 3,
  })
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const heads = hunks.map(
    (hunk) =>
      `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@\n${hunk.lines.join('\n')}`,
  )
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { path, diff: heads.join('\n'), added: count('+'), removed: count('-') }
}

function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function first(args: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    if (typeof value === 'string') return value
  }
  return undefined
}

function parsed(content: string): JsonObject | undefined {
  try {
    const args: unknown = JSON.parse(content)
    return isJsonObject(args) ? args : undefined
  } catch {
    return undefined
  }
}
