import { visibleText } from '../../../shared/model/basics/visible'
import type { RootOrigin, RootState, RootsFrom } from '../../../shared/model/settings/source-roots'
import { dateWithYear, formatByteSize, formatQuantity } from '../../ui/format/format'

/** Returns the state of a root as a sentence. */
export function rootStateText(state: RootState): string {
  switch (state.type) {
    case 'off':
      return 'Off.'
    case 'waiting':
      return 'Not scanned yet.'
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

/** Sums up all roots: "4,318 conversations, 1.2 GB, in 3 places". */
export function rootTotalText(states: readonly RootState[]): string {
  let conversations = 0
  let bytes = 0
  let places = 0
  for (const state of states) {
    if (!('conversations' in state) || state.conversations === 0) continue
    conversations += state.conversations
    bytes += state.bytes
    places++
  }
  if (places === 0) return 'No conversations from other systems.'
  return `${foundWords({ conversations, bytes })}, in ${formatQuantity(places, 'place')}.`
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
