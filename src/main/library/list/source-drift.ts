import type { SourceId } from '../../../shared/model/conversation/sources'
import type {
  ConversationDrift,
  DriftLine,
  DriftPlace,
  FoundVersion,
  SourceDrift,
  SourceDriftName,
} from '../../../shared/model/drift/drift'
import { shownPath } from '../../disk/interface/shown-path'
import { readers } from '../../readers/index'
import { isNewerVersion } from '../../readers/known/versions'
import { parseRecordPath, realFileOf } from '../../records/interface/record-format'
import type { ConversationListing } from './conversation-source'
import type { LibraryFacts } from './library-facts'

/** Names that are listed of a source. */
const mostNames = 100

/**
 * Sums up, for each source with a conversation, what its histories have that its reader does not know, as far as they were counted.
 * Reads nothing. Holds 100 names of a source.
 */
export function driftOfSources(
  listings: Iterable<ConversationListing>,
  facts: Pick<LibraryFacts, 'counted'>,
): readonly SourceDrift[] {
  const sums = new Map<SourceId, DriftSum>()
  for (const listed of listings) {
    const { source } = listed
    const sum = sums.get(source) ?? new DriftSum()
    sums.set(source, sum)
    sum.add(facts.counted(listed)?.drift, (line) => placeOf(listed, line))
  }
  return readers.flatMap(({ id, known }) => {
    const sum = sums.get(id)
    if (sum === undefined) return []
    return [{ source: id, proved: known.proved ?? null, ...sum.sum }]
  })
}

type Sum = Omit<SourceDrift, 'source' | 'proved'>

class DriftSum {
  private readonly names = new Map<string, SourceDriftName>()
  private checked = 0
  private unchecked = 0
  private changed = 0
  private isCut = false
  private newer: Sum['newer'] = null

  get sum(): Sum {
    const { checked, unchecked, changed, isCut, newer } = this
    const names = [...this.names.values()].sort(
      (a, b) => b.conversations - a.conversations || (a.name < b.name ? -1 : 1),
    )
    return { checked, unchecked, changed, names, isCut, newer }
  }

  add(drift: ConversationDrift | undefined, placed: (line: DriftLine) => DriftPlace): void {
    if (drift === undefined) {
      this.unchecked += 1
      return
    }
    this.checked += 1
    if (drift.names.length > 0) this.changed += 1
    if (drift.isCut) this.isCut = true
    for (const one of drift.names) {
      const { what, name, lines } = one
      const id = `${what} ${name}`
      const known = this.names.get(id)
      if (known !== undefined) {
        const conversations = known.conversations + 1
        this.names.set(id, { ...known, conversations, lines: known.lines + lines })
      } else if (this.names.size < mostNames)
        this.names.set(id, { what, name, lines, conversations: 1, place: placed(one) })
      else this.isCut = true
    }
    if (drift.version !== undefined) this.addVersion(drift.version, placed)
  }

  private addVersion(found: FoundVersion, placed: (line: DriftLine) => DriftPlace): void {
    const { version } = found
    const { newer } = this
    const conversations = (newer?.conversations ?? 0) + 1
    this.newer =
      newer === null || isNewerVersion(version, newer.version)
        ? { version, conversations, place: placed(found) }
        : { ...newer, conversations }
  }
}

function placeOf(
  { key, files, shownPlace }: ConversationListing,
  { file, line, shownAt }: DriftLine,
): DriftPlace {
  const path = files.find(({ place }) => place === file)?.path
  return {
    key,
    file,
    line,
    shownAt,
    shown: path === undefined ? shownPlace : shownPath(realFileOf(path)),
    unit: parseRecordPath(file) === undefined ? 'line' : 'message',
  }
}
