import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Entry } from '../../../shared/model/conversation/entry'
import { ExportedPlace, SkeinExportEnd, SkeinExportHead } from '../../../shared/model/skein-export'
import type { EarlierExport, Exportable } from '../parts/exporter'

/** Longest first or last line that is looked at, in bytes. */
const longestEnd = 1024 * 1024

/**
 * Reads what an export of Skein's said of its conversation, where one was imported; undefined for any other conversation. Reads all of
 * it once, and holds one line of 1 MB at most.
 */
export async function readEarlierExport(
  { source, originals, told }: Pick<Exportable, 'source' | 'originals' | 'told'>,
  signal: AbortSignal,
): Promise<EarlierExport | undefined> {
  if (told !== undefined) return told.earlier(signal)
  if (source !== 'skein' || originals === undefined) return undefined
  let first: Buffer | undefined
  let line: Buffer[] = []
  let bytes = 0
  let last: Buffer | undefined
  const end = () => {
    const whole = bytes > longestEnd ? Buffer.alloc(0) : Buffer.concat(line)
    first ??= whole
    if (bytes > 0) last = whole
    line = []
    bytes = 0
  }
  try {
    for await (const piece of originals()) {
      signal.throwIfAborted()
      for (let from = 0; from < piece.length; ) {
        const feed = piece.indexOf(0x0a, from)
        const to = feed === -1 ? piece.length : feed
        bytes += to - from
        // A copy: the piece's memory may be used again.
        if (bytes <= longestEnd) line.push(Buffer.from(piece.subarray(from, to)))
        if (feed !== -1) end()
        from = to + 1
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    // Who writes the export says what cannot be read.
    if (first === undefined) throw error
  }
  if (bytes > 0) end()
  const head = parsed(first)
  const isHead = isJsonObject(head) && SkeinExportHead.safeParse(head).success
  return { head: isHead ? head : undefined, end: SkeinExportEnd.safeParse(parsed(last)).data }
}

/** Returns an entry as the export had it that it was read from: with its place there. Any other entry is returned unchanged. */
export function entryAsExported(entry: Entry): Entry {
  const { exported, ...others } = entry.metadata ?? {}
  const { data: place } = ExportedPlace.safeParse(exported)
  if (place === undefined) return entry
  const { file, line, offset, length, inherited, isBare, behind = [] } = place
  const metadata = 'exported' in place ? { ...others, exported: place.exported } : others
  const { label, ...own } = entry
  const restored: Readonly<Record<string, unknown>> = {
    ...own,
    metadata: isBare === true ? undefined : metadata,
    file,
    line,
    offset,
    length,
    inherited,
  }
  const names = [...Object.keys(restored).filter((name) => !behind.includes(name)), ...behind]
  const members = names.flatMap((name) => {
    const value = restored[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries([
    ...members,
    ...(label === undefined ? [] : [['label', label]]),
  ]) as Entry
}

function parsed(line: Buffer | undefined): unknown {
  try {
    return JSON.parse(line?.toString('utf8') ?? '') as unknown
  } catch {
    // Damaged, or cut.
    return undefined
  }
}
