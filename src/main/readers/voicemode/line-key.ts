import { wellFormed } from '../../../shared/model/basics/well-formed'

/** The beginning of the usual line, as every version of voicemode writes it: it is read without parsing the line. */
export interface LineHead {
  readonly key: string
  readonly timestamp: string
  /** The place in the text at which it ends. */
  readonly end: number
}

/** Ids of plain characters alone: then it makes no difference whether bytes or text are read. */
const usualHead =
  /\{(?:"version": ?\d{1,9}, ?)?"timestamp": ?"([ !#-[\]-~]{1,64})", ?"conversation_id": ?"([ !#-[\]-~]{1,512})"(?=[,}])/y

/** Bytes that hold any head: more than the longest one has. */
export const lineHeadBytes = 720

/**
 * Reads the head of a line at `start`: in text, or in bytes as Latin-1; undefined where the line does not begin as
 * usual.
 */
export function headAt(text: string, start: number): LineHead | undefined {
  usualHead.lastIndex = start
  const found = usualHead.exec(text)
  if (found === null) return undefined
  const [, timestamp, key] = found
  if (timestamp === undefined || !isId(key)) return undefined
  return { key, timestamp, end: usualHead.lastIndex }
}

/**
 * Returns the conversation of a line: its id. Lines without one, which no known version writes, are grouped by day and
 * project: `no-id/2025-09-01/home/mira/garden`. The line alone decides, as pages and search have to.
 *
 * The head is read before the value, so that a line has the same key without parsing.
 */
export function keyOfLine(line: Readonly<Record<string, unknown>>, text: string): string {
  const head = headAt(text, 0)
  if (head !== undefined) return head.key
  const { conversation_id: id, timestamp, project_path: project } = line
  if (isId(id)) return wellFormed(id)
  const [day = 'undated'] = /^\d{4}-\d\d-\d\d/.exec(String(timestamp)) ?? []
  const where = typeof project === 'string' ? wellFormed(project.slice(0, shownOfProject)) : ''
  return `no-id/${day}${where === '' || where.startsWith('/') ? where : `/${where}`}`
}

/** The prefix of keys of conversations in text files; no line has such a key. */
export const documentKeys = 'transcriptions/'

const longestId = 512
const shownOfProject = 200

/**
 * Returns true for a value that can be a conversation's id: a text of 1 to 512 characters without the prefix of text
 * files.
 */
export function isId(id: unknown): id is string {
  return (
    typeof id === 'string' && id !== '' && id.length <= longestId && !id.startsWith(documentKeys)
  )
}
