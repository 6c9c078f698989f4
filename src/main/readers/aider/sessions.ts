import type { DiskFile } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { FenceState } from './fences'

/** The beginning of a session in a history file. */
export interface SessionStart {
  /** In bytes. */
  readonly offset: number
  /** As aider writes it, in local time: "2026-03-10 09:00:00"; undefined for lines before the first session. */
  readonly startedAt: string | undefined
}

/** A line of a session, without its end. */
export interface HistoryLine {
  readonly text: string
  readonly offset: number
}

const beginning = /^# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})[ \t]*$/

/** The lines of a session. */
export interface SessionLines {
  /** The line that begins it; undefined for lines before the first session. */
  readonly head: HistoryLine | undefined
  readonly lines: readonly HistoryLine[]
}

/**
 * Reads the sessions of a file of any size, one after the other; holds one. What is before the first one, as where the beginning of
 * a file was cut away, counts as one.
 *
 * @throws DiskError
 */
export async function* allSessions(file: DiskFile): AsyncGenerator<SessionStart & SessionLines> {
  let begun: SessionStart & { readonly head: HistoryLine | undefined } = {
    offset: 0,
    startedAt: undefined,
    head: undefined,
  }
  let lines: HistoryLine[] = []
  const isSession = () => begun.head !== undefined || !lines.every(isBlank)
  for await (const batch of markedLines(file, 0, wholeFileChunkBytes))
    for (const { line, start } of batch) {
      if (start === undefined) lines.push(line)
      else {
        if (isSession()) yield { ...begun, lines }
        begun = { ...start, head: line }
        lines = []
      }
    }
  if (isSession()) yield { ...begun, lines }
}

/** Finds out whether any session begins in a file; reads up to the first one, and holds nothing. @throws DiskError */
export async function hasSessions(file: DiskFile): Promise<boolean> {
  for await (const batch of markedLines(file, 0, wholeFileChunkBytes))
    if (batch.some(({ start }) => start !== undefined)) return true
  return false
}

/** Reads the lines of one session; undefined where none begins there. Holds the session. @throws DiskError */
export async function sessionLines(
  file: DiskFile,
  offset: number,
): Promise<SessionLines | undefined> {
  let head: HistoryLine | undefined
  const lines: HistoryLine[] = []
  const session = () => (head === undefined && lines.every(isBlank) ? undefined : { head, lines })
  for await (const batch of markedLines(file, offset, sessionChunkBytes))
    for (const { line, start } of batch) {
      if (start === undefined) lines.push(line)
      else if (head === undefined && lines.length === 0) head = line
      else return session()
      if (head === undefined && offset > 0) return undefined
    }
  return session()
}

const wholeFileChunkBytes = 1024 * 1024
/** Most sessions are shorter: more would be read of the next ones. */
const sessionChunkBytes = 64 * 1024

function isBlank({ text }: HistoryLine): boolean {
  return text.trim() === ''
}

interface MarkedLine {
  readonly line: HistoryLine
  /** The session that begins with it. */
  readonly start: SessionStart | undefined
}

/**
 * Reads lines in batches. A session begins with a line of its own between blank ones. Without blank lines, as after a run that was killed, it does so
 * outside of code fences alone: an answer may quote a history.
 */
async function* markedLines(
  file: DiskFile,
  from: number,
  chunkBytes: number,
): AsyncGenerator<readonly MarkedLine[]> {
  let fences = new FenceState()
  let isAfterBlank = true
  let waiting: { readonly line: HistoryLine; readonly isApart: boolean } | undefined
  const decided = (before: NonNullable<typeof waiting>, isBeforeBlank: boolean): MarkedLine => {
    const startedAt = beginning.exec(before.line.text)?.[1]
    const isStart = !fences.isInside || (before.isApart && isBeforeBlank)
    if (startedAt === undefined || !isStart) return { line: before.line, start: undefined }
    fences = new FenceState()
    return { line: before.line, start: { offset: before.line.offset, startedAt } }
  }
  for await (const lines of readLines(file, { from, chunkBytes })) {
    const batch: MarkedLine[] = []
    for (const { bytes, offset } of lines) {
      const line = { text: textOf(bytes), offset }
      if (waiting !== undefined) batch.push(decided(waiting, isBlank(line)))
      waiting = undefined
      if (mayBegin(line.text)) waiting = { line, isApart: isAfterBlank }
      else {
        fences.take(line.text)
        batch.push({ line, start: undefined })
      }
      isAfterBlank = isBlank(line)
    }
    yield batch
  }
  if (waiting !== undefined) yield [decided(waiting, true)]
}

/** Without a byte order mark and a carriage return. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
  const from = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const to = text.endsWith('\r') ? text.length - 1 : text.length
  return text.slice(from, Math.max(from, to))
}

/** Most lines are told by their first character. */
function mayBegin(text: string): boolean {
  return text.startsWith('#') && beginning.test(text)
}
