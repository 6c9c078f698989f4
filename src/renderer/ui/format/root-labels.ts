import { visibleText } from '../../../shared/model/basics/visible'
import type {
  CountedFiles,
  CountedKind,
  RootOrigin,
  RootState,
  RootsFrom,
} from '../../../shared/model/settings/source-roots'
import { dateWithYear, formatByteSize, formatQuantity } from './format'

/** Returns the state of a root as a sentence. */
export function rootStateText(state: RootState): string {
  switch (state.type) {
    case 'off':
      return state.counted === undefined ? 'Off.' : `Off: ${countedWords(state.counted)}.`
    case 'waiting':
      if (state.counted?.counts.length === 0) return 'No conversations there.'
      if (state.counted !== undefined) return `${countedWords(state.counted)}.`
      return state.isThere ? 'Found. Counted when it is read.' : 'Not scanned yet.'
    case 'looking':
      return `Scanning: ${foundWords(state)} so far.`
    case 'found':
      return state.conversations === 0
        ? 'No conversations there.'
        : `${foundWords(state)}${newestWords(state.newestMs)}.`
    case 'stopped':
      return `Stopped: ${foundWords(state)} so far, there may be more.`
    case 'missing':
      return 'Not found.'
    case 'unreadable':
      return `Cannot be read: ${visibleText(state.why)}`
  }
}

/** Sums up all roots that are on: "4,318 conversations, 1.2 GB, in 3 places". */
export function rootTotalText(states: readonly RootState[]): string {
  const counts = new Map<CountedKind, number>()
  let bytes = 0
  let places = 0
  for (const state of states) {
    const found = countsIn(state)
    if (found === undefined || found.counts.length === 0) continue
    for (const { kind, count } of found.counts) counts.set(kind, (counts.get(kind) ?? 0) + count)
    bytes += found.bytes
    places++
  }
  if (places === 0) return 'No conversations from other systems.'
  const words = kindWords([...counts].map(([kind, count]) => ({ kind, count })))
  return `${words}, ${formatByteSize(bytes)}, in ${formatQuantity(places, 'place')}.`
}

function countsIn(state: RootState): Pick<CountedFiles, 'counts' | 'bytes'> | undefined {
  if (state.type === 'waiting') return state.counted
  if (!('conversations' in state)) return undefined
  const { conversations: count, bytes } = state
  return { counts: count === 0 ? [] : [{ kind: 'conversation', count }], bytes }
}

function countedWords({ counts, bytes, newestMs }: CountedFiles): string {
  if (counts.length === 0) return 'no conversations there'
  return `${kindWords(counts)}, ${formatByteSize(bytes)}${newestWords(newestMs)}`
}

function kindWords(counts: CountedFiles['counts']): string {
  return counts.map(({ kind, count }) => formatQuantity(count, kind)).join(', ')
}

/** Returns the label for how a root came to be listed. */
export function rootOriginLabel(origin: RootOrigin): string {
  return { default: 'default', added: 'added', given: '--root' }[origin]
}

/** Explains why Settings cannot change the roots; undefined where they can. */
export function fixedRootsText(from: RootsFrom): string | undefined {
  switch (from) {
    case 'settings':
      return undefined
    case 'root-option':
      return 'Skein was started with --root: it reads only these until you close it.'
    case 'home-option':
      return 'Skein was started with --home: no other system’s histories are read.'
    case 'sample':
      return 'This is the sample library: no other system’s histories are read.'
  }
}

function newestWords(ms: number | undefined): string {
  return ms === undefined ? '' : `, the newest of ${dateWithYear(ms)}`
}

function foundWords(found: { readonly conversations: number; readonly bytes: number }): string {
  return `${formatQuantity(found.conversations, 'conversation')}, ${formatByteSize(found.bytes)}`
}
