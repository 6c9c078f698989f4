import { createHash } from 'node:crypto'
import {
  mostListedFindings,
  type Redaction,
  type RedactionFinding,
  type RedactionReport,
} from '../../shared/model/redaction'
import { isSecretMember } from './assigned'
import { findPlaces, textViews, withoutOverlaps } from './find-places'
import { KnownSecrets } from './known-secrets'
import { compileOwnPatterns } from './own-patterns'
import type { SecretPlace } from './secret-place'
import { textsOf, type ValueText, withTexts } from './value-texts'

/** Replacement of secrets in one export; equal secrets get equal words. */
export interface Redactor {
  /** Replaces in every text of a value: what members and lists hold, and names of members. */
  value<T>(value: T): T
  /** Replaces in a text. @param isCut it ends where it was cut off: a key's beginning there counts */
  text(text: string, isCut?: boolean): string
  /** Replaces as `value` does, and counts no places: for what is not written. */
  uncounted<T>(value: T): T
  /** Replaces what has the form of a secret in a name that links or orders, past the own patterns; counts nothing. */
  link(text: string): string
  /** Forgets the counts, and keeps what was found and its numbers: for a further reading of the same conversation. */
  restart(): void
  /** Reports what was found since the last restart. */
  report(): RedactionReport
}

interface Known extends RedactionFinding {
  places: number
  readonly words: string
}

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
  const known = new KnownSecrets()
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
    if (group === 'keys') {
      const ofKind = tokens.get(kind)
      if (ofKind === undefined) tokens.set(kind, [secret])
      else ofKind.push(secret)
    }
    if (place.isByContext) known.add(place)
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
    const views = textViews(text)
    const places = [...ofOwn, ...findPlaces(views, { groups: wanted, isCut })]
    // Those of this text are known before the rest of it is looked at.
    for (const place of places) if (place.isByContext) findingOf(place)
    const found = known.find(views)
    return ofOwn.length + found.length === 0 ? places : withoutOverlaps([...places, ...found])
  }

  /** Finds what the name of a member or the lines around tell of a text as a whole; what has a form of its own, whole, has its kind. */
  function wholePlace({ text, member, ofKey }: ValueText, places: readonly SecretPlace[]) {
    const isSecret = ofKey !== undefined || (member !== undefined && isSecretMember(member, text))
    if (!isSecret || !wanted.has('keys')) return undefined
    const [first] = places
    if (first?.start === 0 && first.end === text.length) return undefined
    const whole = { group: 'keys', start: 0, end: text.length } as const
    return ofKey === undefined
      ? ({ ...whole, kind: 'assigned secret', secret: text, isByContext: true } as const)
      : ({ ...whole, kind: 'private key', secret: ofKey } as const)
  }

  /** The own patterns run once for all texts of a value. */
  function redacted<T>(value: T): T {
    const found = textsOf(value)
    const ofOwn = own?.find(found.map(({ text }) => text))
    const replaced = found.map((one, n) => {
      const places = placesIn(one.text, false, ofOwn?.[n] ?? [])
      const whole = wholePlace(one, places)
      return replacePlaces(one.text, whole === undefined ? places : [whole])
    })
    return withTexts(value, replaced) as T
  }

  function uncounted<T>(replace: () => T): T {
    step = 0
    try {
      return replace()
    } finally {
      step = 1
    }
  }

  return {
    value: redacted,
    uncounted: (value) => uncounted(() => redacted(value)),
    link: (text) => uncounted(() => replacePlaces(text, placesIn(text, false, []))),
    text(text, isCut = false) {
      return replacePlaces(text, placesIn(text, isCut, own?.find([text])[0] ?? []))
    },
    restart() {
      for (const finding of findings.values()) finding.places = 0
    },
    report: () => reportOf([...findings.values()], stays),
  }
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
