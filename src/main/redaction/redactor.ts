import { createHash } from 'node:crypto'
import {
  mostListedFindings,
  type Redaction,
  type RedactionFinding,
  type RedactionReport,
} from '../../shared/model/redaction'
import { isSecretMember } from './assigned'
import { findKnown, findPlaces, withoutOverlaps } from './find-places'
import { compileOwnPatterns } from './own-patterns'
import type { SecretPlace } from './secret-place'

/** Replacement of secrets in one export; equal secrets get equal words. */
export interface Redactor {
  /** Replaces in every text of a value: what members and lists hold, and names of members. */
  value<T>(value: T): T
  /** Replaces in a text. @param isCut it ends where it was cut off: a key's beginning there counts */
  text(text: string, isCut?: boolean): string
  /** Replaces as `value` does, and counts no places: for what is not written. */
  uncounted<T>(value: T): T
  /** Forgets the counts, and keeps what was found and its numbers: for a further reading of the same conversation. */
  restart(): void
  /** Reports what was found since the last restart. */
  report(): RedactionReport
}

interface Known extends RedactionFinding {
  places: number
  readonly words: string
}

/** Secrets that are looked for wherever they stand, once their surroundings told them. */
const mostKnown = 500
const leastKnown = 8

/**
 * Makes a redactor. Works through what it gets in order: a secret's number is that of its first place among its kind.
 *
 * @throws AppError `bad-argument` an own pattern cannot be used, or, of the functions, takes too long
 */
export function createRedactor({ groups, patterns, kept }: Redaction): Redactor {
  const wanted = new Set(groups)
  const own = wanted.has('own') && patterns.length > 0 ? compileOwnPatterns(patterns) : undefined
  const stays = new Set(kept)
  const findings = new Map<string, Known>()
  const numbers = new Map<string, number>()
  const byContext = new Map<string, SecretPlace>()
  const tokens = new Map<string, string[]>()
  let step = 1

  function findingOf(place: SecretPlace): Known {
    const { group, kind } = place
    const secret = place.isCut ? wholeOf(place) : place.secret
    const id = createHash('sha256').update(`${kind}\0${secret}`).digest('hex').slice(0, 24)
    const there = findings.get(id)
    if (there !== undefined) return there
    const number = (numbers.get(kind) ?? 0) + 1
    numbers.set(kind, number)
    const words = `[redacted: ${kind} #${number}]`
    const finding = { id, group, kind, number, places: 0, shown: shownSecret(place), words }
    findings.set(id, finding)
    if (group === 'keys') tokens.set(kind, [...(tokens.get(kind) ?? []), secret])
    if (place.isByContext && isTelling(secret) && byContext.size < mostKnown)
      byContext.set(secret, place)
    return finding
  }

  /** Of what was cut off, the one that begins so. */
  function wholeOf({ kind, secret }: SecretPlace): string {
    return tokens.get(kind)?.find((one) => one.startsWith(secret)) ?? secret
  }

  function replacePlaces(text: string, places: readonly SecretPlace[]): string {
    const pieces: string[] = []
    let done = 0
    for (const place of places) {
      const finding = findingOf(place)
      finding.places += step
      if (stays.has(finding.id)) continue
      pieces.push(text.slice(done, place.start), finding.words)
      done = place.end
    }
    return done === 0 ? text : pieces.join('') + text.slice(done)
  }

  function placesIn(text: string, isCut: boolean, ofOwn: readonly SecretPlace[]) {
    const places = [...ofOwn, ...findPlaces(text, { groups: wanted, isCut })]
    // Those of this text are known before the rest of it is looked at.
    for (const place of places) if (place.isByContext) findingOf(place)
    const known = byContext.size === 0 ? [] : findKnown(text, byContext)
    return ofOwn.length + known.length === 0 ? places : withoutOverlaps([...places, ...known])
  }

  /** Replaces in several texts; the own patterns run once for all of them. */
  function texts(all: readonly string[]): readonly string[] {
    const ofOwn = own?.find(all)
    return all.map((text, n) => replacePlaces(text, placesIn(text, false, ofOwn?.[n] ?? [])))
  }

  function redacted<T>(value: T): T {
    const found: string[] = []
    collectTexts(value, found)
    const replaced = texts(found)
    let next = 0
    const takeText = () => replaced[next++] ?? ''
    const takeMember = (name: string, text: string) => {
      const given = takeText()
      // Nothing in it told that it is a secret: its name does.
      if (given !== text || !wanted.has('keys') || !isSecretMember(name, text)) return given
      const whole = { start: 0, end: text.length, secret: text, isByContext: true } as const
      return replacePlaces(text, [{ group: 'keys', kind: 'assigned secret', ...whole }])
    }
    return rebuilt(value, takeText, takeMember) as T
  }

  return {
    value: redacted,
    uncounted(value) {
      step = 0
      try {
        return redacted(value)
      } finally {
        step = 1
      }
    },
    text(text, isCut = false) {
      return replacePlaces(text, placesIn(text, isCut, own?.find([text])[0] ?? []))
    },
    restart() {
      for (const finding of findings.values()) finding.places = 0
    },
    report: () => reportOf([...findings.values()], stays),
  }
}

function collectTexts(value: unknown, into: string[]): void {
  if (typeof value === 'string') into.push(value)
  else if (Array.isArray(value)) for (const one of value) collectTexts(one, into)
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      into.push(name)
      collectTexts(member, into)
    }
}

/** Builds a value anew, with the texts in the order in which `collectTexts` has them. */
function rebuilt(
  value: unknown,
  takeText: () => string,
  takeMember: (name: string, text: string) => string,
): unknown {
  if (typeof value === 'string') return takeText()
  if (Array.isArray(value)) return value.map((one) => rebuilt(one, takeText, takeMember))
  if (typeof value !== 'object' || value === null) return value
  const members = new Map<string, unknown>()
  for (const [name, member] of Object.entries(value)) {
    let given = takeText()
    // Two names that differ stay two.
    while (members.has(given)) given += ' '
    members.set(
      given,
      typeof member === 'string' ? takeMember(name, member) : rebuilt(member, takeText, takeMember),
    )
  }
  return Object.fromEntries(members)
}

/** Looked for elsewhere, a short word would be found where it means something else. */
function isTelling(secret: string): boolean {
  return (
    secret.length >= leastKnown && secret.length <= 1000 && /\d/.test(secret) && /\D/.test(secret)
  )
}

/** Enough to recognize it: a key is not shown whole. */
function shownSecret({ group, secret }: SecretPlace): string {
  if (group === 'keys') return `${secret.slice(0, Math.min(8, secret.length >> 1))}…`
  return secret.length > 60 ? `${secret.slice(0, 59)}…` : secret
}

function reportOf(all: readonly Known[], stays: ReadonlySet<string>): RedactionReport {
  const found = all.filter(({ places }) => places > 0)
  const replaced = found.filter(({ id }) => !stays.has(id))
  const kinds = new Map<string, RedactionReport['kinds'][number]>()
  for (const { kind, group, places } of replaced) {
    const before = kinds.get(kind) ?? { kind, group, different: 0, places: 0 }
    const different = before.different + 1
    kinds.set(kind, { kind, group, different, places: before.places + places })
  }
  return {
    places: replaced.reduce((sum, { places }) => sum + places, 0),
    kinds: [...kinds.values()],
    findings: found.slice(0, mostListedFindings).map(({ words: _, ...finding }) => finding),
    found: found.length,
  }
}
