import { firstWords } from '../../../../shared/model/basics/first-words'
import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import type { DiskFile } from '../../../disk/interface/disk'
import { decodeJsonLineInSlices } from '../../../disk/json/json-line'
import { readLines } from '../../../disk/reading/lines'
import type { NamelessEntry } from '../../common/value-meaning'
import { objectAt, secondsFromMs, textAt } from './fields'
import { sessionLine } from './meaning'

/** The facts that the row or file of a session gives about it. */
export interface SessionFacts {
  /** Undefined until the program or a person made one. */
  readonly title: string | undefined
  readonly project: string | null
  /** Unix seconds. */
  readonly createdAt: number | undefined
  readonly updatedAt: number | undefined
  /** The session that called this one, of a subagent. */
  readonly parent: string | undefined
}

/** A title that the program puts there until it has one. */
const placeholder = /^(?:New|Child) session - \d{4}-\d{2}-\d{2}T/

/** Reads a session's row, or its file of the oldest generation, whose names of fields differ. */
export function headOfRow(row: JsonObject): SessionFacts {
  const title = textAt(row, 'title')?.trim()
  const time = objectAt(row, 'time')
  // The worktree "/" stands for no project: the folder is the session's own.
  const worktree = textAt(row, 'worktree')
  return {
    title: title === undefined || title === '' || placeholder.test(title) ? undefined : title,
    project: textAt(row, 'directory') ?? (worktree === '/' ? undefined : worktree) ?? null,
    createdAt: secondsFromMs(row.time_created ?? time.created) ?? undefined,
    updatedAt: secondsFromMs(row.time_updated ?? time.updated) ?? undefined,
    parent: textAt(row, 'parent_id') ?? textAt(row, 'parentID'),
  }
}

/** The beginning of a session: the facts of its row, and a person's first words where it has no title. */
export interface SessionBeginning extends SessionFacts {
  readonly words: string | undefined
}

const beginningBytes = 16 * 1024

/** Reads the beginning of a session's record file: its first line, and lines up to a person's words if there is no title. */
export async function readSessionBeginning(
  file: DiskFile,
  signal: AbortSignal,
): Promise<SessionBeginning> {
  let head = headOfRow({})
  for await (const lines of readLines(file, { chunkBytes: beginningBytes, signal }))
    for (const raw of lines) {
      const decoded = await decodeJsonLineInSlices(raw, beginningLine)
      if (decoded.type !== 'value') continue
      if (decoded.value.head !== undefined) head = decoded.value.head
      const words = decoded.value.entries?.find(isHuman)
      if (head.title !== undefined) return { ...head, words: undefined }
      if (words !== undefined) return { ...head, words: firstWords(words.content) }
    }
  return { ...head, words: undefined }
}

interface BeginningLine {
  readonly head?: SessionFacts
  readonly entries?: readonly NamelessEntry[]
}

function beginningLine(...given: Parameters<typeof sessionLine>): BeginningLine | string {
  const [value] = given
  const meaning = sessionLine(...given)
  if (typeof meaning === 'string') return meaning
  if (meaning.type === 'entries') return { entries: meaning.entries }
  const isHead = isJsonObject(value) && String(value.record).startsWith('session')
  return isHead && isJsonObject(value.row) && value.record !== 'session_message'
    ? { head: headOfRow(value.row) }
    : {}
}

function isHuman({ entry_type: type, role, content, metadata }: NamelessEntry): boolean {
  return (
    type === 'message' && role === 'user' && metadata?.injected !== true && content.trim() !== ''
  )
}
