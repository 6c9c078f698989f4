import { visibleText } from '../../../shared/model/basics/visible'
import { cutText } from '../../ui/format/cut-text'

/** Person in a room. */
export interface Person {
  /** The nick, without the ending that marks people of rooms in fluux-agent's files. */
  readonly name: string
  /** As the file has it. */
  readonly full: string
  readonly initial: string
  /** The lane whose colour is theirs, from 2: the first is the agent's. Equal for equal names. */
  readonly lane: number
}

const roomEnding = '@muc'
const lanes = 5
/** Longest name, in UTF-16 units; longer ones are cut. */
const nameUnits = 120

/** Returns the person that a sender is in a room; undefined for other senders. */
export function personOf(from: string): Person | undefined {
  if (!from.endsWith(roomEnding) || from.length === roomEnding.length) return undefined
  const nick = from.slice(0, -roomEnding.length)
  const name = shownName(nick)
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? ''
  return {
    name,
    full: shownName(from),
    initial: [...letter.toLocaleUpperCase()][0] ?? '•',
    lane: 2 + (hashOf(nick) % lanes),
  }
}

/** Returns a sender's name for texts: in a room the nick, else all of it. */
export function personName(from: string): string {
  return personOf(from)?.name ?? shownName(from)
}

/** Joins senders' names: "alice, bob and carol", "alice, bob and 3 more". */
export function personNames(senders: readonly string[], most = 6): string {
  const names = senders.map(personName)
  if (names.length < 2) return names[0] ?? ''
  const shown = names.length > most ? names.slice(0, most - 1) : names.slice(0, -1)
  const last = names.length > most ? `${names.length - shown.length} more` : names.at(-1)
  return `${shown.join(', ')} and ${last}`
}

function shownName(name: string): string {
  const { shown, isCut } = cutText(name, 1, nameUnits)
  return `${visibleText(shown).trim()}${isCut ? '…' : ''}`
}

/** FNV-1a over the name's UTF-16 units. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++)
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  return hash
}
