import { wellFormed } from '../../../shared/model/basics/well-formed'

/** What the usual line begins with, as every version of voicemode writes it: told without parsing the line. */
export interface LineHead {
  readonly key: string
  readonly timestamp: string
  /** Where it ends in the text. */
  readonly end: number
}

/** Ids of plain characters alone: then it makes no difference whether bytes or text are looked at. */
const usualHead =
  /\{(?:"version": ?\d{1,9}, ?)?"timestamp": ?"([ !#-[\]-~]{1,64})", ?"conversation_id": ?"([ !#-[\]-~]{1,512})"(?=[,}])/y

/** More than the longest head. */
export const lineHeadBytes = 720

/** Looks at the beginning of a line at `start`: in text, or in bytes as latin1. */
export function headAt(text: string, start: number): LineHead | undefined {
  usualHead.lastIndex = start
  const found = usualHead.exec(text)
  if (found === null) return undefined
  const [, timestamp, key] = found
  if (timestamp === undefined || !isId(key)) return undefined
  return { key, timestamp, end: usualHead.lastIndex }
}

/**
 * Whose line it is: the conversation's id. Lines without one, which no known version writes, are together by day and
 * project: `no-id/2025-09-01/home/mira/garden`. It is decided by the line alone, as pages and search have to.
 *
 * The head goes before the value, so that what is found without parsing is never another key.
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

/** Keys of conversations that are made of text files begin with it; no line has such a key. */
export const documentKeys = 'transcriptions/'

const longestId = 512
const shownOfProject = 200

/** Whether it can name a conversation. */
export function isId(id: unknown): id is string {
  return (
    typeof id === 'string' && id !== '' && id.length <= longestId && !id.startsWith(documentKeys)
  )
}
