import { randomBytes } from 'node:crypto'
import { hashedLetters, hashedUuid } from '../parts/derived-id'

const uuidInName = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** Makes a new UUID of version 7, which begins with the time: of it the tools' own names of files are made. */
export function newSessionId(nowMs: number = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns the session's id that a file's name holds; a new one for a name without, and for no name. */
export function sessionIdIn(fileName: string | undefined): string {
  return uuidInName.exec(fileName ?? '')?.[0].toLowerCase() ?? newSessionId()
}

/** Returns the time in an id of version 7, in Unix milliseconds; now for any other id. */
export function sessionTimeMs(id: string): number {
  return id[14] === '7' ? Number.parseInt(id.replace('-', '').slice(0, 12), 16) : Date.now()
}

/** Makes a function that gives the records of a session their UUIDs. */
export function createRecordIds(session: string): () => string {
  let count = 0
  return () => hashedUuid(session, String(count++))
}

/** Ids of calls that every provider takes. */
const plainCallId = /^[A-Za-z0-9_-]{1,64}$/

/** Makes a function that gives each call an id which no other has: its own, where providers take that. */
export function createCallIds(session: string): (own: string | undefined) => string {
  const given = new Set<string>()
  let count = 0
  return (own) => {
    let id = own ?? ''
    while (!plainCallId.test(id) || given.has(id))
      id = `call_${hashedLetters(24, session, 'call', String(count++))}`
    given.add(id)
    return id
  }
}

/** Prefixes of OpenCode's ids. */
type OpenCodeKind = 'ses' | 'msg' | 'prt'

/**
 * Makes a function that gives ids in OpenCode's form: the time, a count within the millisecond, and letters. Those of messages and
 * parts rise with each call, of sessions the latest sorts first.
 */
export function createOpenCodeIds(session: string): (kind: OpenCodeKind, atMs: number) => string {
  let last = 0n
  let count = 0
  return (kind, atMs) => {
    const wanted = BigInt(Math.max(0, Math.trunc(atMs))) * 0x1000n + 1n
    last = wanted > last ? wanted : last + 1n
    const number = BigInt.asUintN(48, kind === 'ses' ? ~last : last)
    const letters = hashedLetters(14, session, kind, String(count++))
    return `${kind}_${number.toString(16).padStart(12, '0')}${letters}`
  }
}
