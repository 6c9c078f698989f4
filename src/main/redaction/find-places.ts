import type { RedactionGroup } from '../../shared/model/redaction'
import { findInContext } from './contexts'
import { isPacked } from './packed'
import { findEmails, findHomes } from './people'
import { findPrivateKeys } from './private-keys'
import { firstAbove } from './rising'
import type { SecretPlace } from './secret-place'
import { findBrokenTokens, findTokens } from './tokens'
import { joinedView, readableViews, type TextView } from './views'

/** Options of a look for secrets. */
export interface FindOptions {
  readonly groups: ReadonlySet<RedactionGroup>
  /** The text ends where it was cut off. */
  readonly isCut: boolean
}

/** Lists the views of a text in which secrets are looked for; none for bytes as text, of which conversations have much. */
export function textViews(text: string): readonly TextView[] {
  return text.length < 4 || isPacked(text) ? [] : readableViews(text)
}

/**
 * Finds everything that is to be replaced in a text, by its views: as it is, as JSON and URLs escape it, and with lines joined. The
 * places are in order and none overlaps another; what is found by its own form has its kind before what its surroundings tell.
 * Takes time in proportion to the text.
 */
export function findPlaces(
  views: readonly TextView[],
  options: FindOptions,
): readonly SecretPlace[] {
  const found: SecretPlace[] = []
  for (const view of views) {
    for (const place of placesIn(view, options)) found.push(inText(place, view))
    if (!options.groups.has('keys')) continue
    const joined = joinedView(view)
    if (joined !== undefined)
      for (const place of findBrokenTokens(joined)) found.push(inText(place, joined))
  }
  return withoutOverlaps(found)
}

/** Finds by form first: where two kinds have the same place, the first counts. */
function* placesIn(view: TextView, options: FindOptions): Generator<SecretPlace> {
  yield* formsIn(view, options)
  if (options.groups.has('keys')) yield* findInContext(view)
}

/** Makes a function that tells whether a place overlaps one of these, which are in order and apart. */
function overlapsOne(places: readonly SecretPlace[]): (place: SecretPlace) => boolean {
  const ends = places.map(({ end }) => end)
  return ({ start, end }) => {
    const next = places[firstAbove(ends, start)]
    return next !== undefined && next.start < end
  }
}

/**
 * Orders places, and joins those that overlap: the longest has the kind, of equal ones the first. An address or a path of which
 * a part is a key gives way to it.
 */
export function withoutOverlaps(places: readonly SecretPlace[]): readonly SecretPlace[] {
  const isKey = ({ group }: SecretPlace) => group === 'keys' || group === 'own'
  const keys = joinOverlaps(places.filter(isKey))
  const isPartOfKey = overlapsOne(keys)
  const others = places.filter((place) => !isKey(place) && !isPartOfKey(place))
  return others.length === 0 ? keys : joinOverlaps([...keys, ...others])
}

function joinOverlaps(places: readonly SecretPlace[]): readonly SecretPlace[] {
  const ordered = places
    .map((place, n) => ({ place, n }))
    .sort((a, b) => a.place.start - b.place.start || b.place.end - a.place.end || a.n - b.n)
  const apart: SecretPlace[] = []
  for (const { place } of ordered) {
    const last = apart.at(-1)
    if (place.end <= place.start) continue
    if (last === undefined || place.start >= last.end) apart.push(place)
    else if (place.end > last.end) apart[apart.length - 1] = { ...last, end: place.end }
  }
  return apart
}

function* formsIn(view: TextView, { groups, isCut }: FindOptions): Generator<SecretPlace> {
  if (groups.has('keys')) {
    yield* findPrivateKeys(view)
    yield* findTokens(view, isCut)
  }
  if (groups.has('emails')) yield* findEmails(view)
  if (groups.has('homes')) yield* findHomes(view)
}

function inText(place: SecretPlace, view: TextView): SecretPlace {
  return { ...place, start: view.rawStart(place.start), end: view.rawEnd(place.end) }
}
