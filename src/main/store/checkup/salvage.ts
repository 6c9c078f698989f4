import { createHash } from 'node:crypto'
import { AppError } from '../../../shared/model/basics/errors'
import { ConversationKey } from '../../../shared/model/conversation/conversation'
import { type Entry, EntryDraft, isAnchor } from '../../../shared/model/conversation/entry'
import {
  allowGaps,
  notWholeError,
  type UnreadPart,
} from '../../../shared/model/conversation/reading'
import type { ContextOrigin } from '../../../shared/model/family/family'
import type { Disk } from '../../disk/interface/disk'
import { listContextNames } from '../contexts/listing'
import { contextPaths, homePaths } from '../core/home-paths'
import type { TranscriptFile } from '../core/transcript-file'
import { type ContextFiles, findContextFiles } from '../files/context-files'
import { readFileFacts } from '../lines/file-facts'
import { stepsForward } from '../lines/line-steps'
import type { TranscriptReading } from '../reading/full-read'
import type { ContextBeginning } from '../writing/creation'
import type { CheckupScope } from './home-files'

const ending = '-salvaged'
/** With the ending and a number it is as long as a new name may be. In characters. */
const longestStem = 110
/** So many salvages of one conversation have names. */
const mostNames = 1000

/**
 * Computes a digest of what can be salvaged of a file: the entries that stand whole in lines that are no entries. Undefined where there are none:
 * then nothing is gained by a copy. Reads the file.
 *
 * @throws FileMovedError, DiskError; the signal's reason
 */
async function digestSalvage(
  disk: Disk,
  file: TranscriptFile,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash('sha256')
  let found = 0
  for await (const batch of readFileFacts(disk, file, name, signal))
    for (const { kind, rows } of batch)
      if (kind === 'damaged')
        for (const row of rows)
          if (row.type === 'entry') {
            found += 1
            hash.update(`${row.entry.id}\n`)
          }
  return found === 0 ? undefined : hash.digest('hex').slice(0, 32)
}

/** The marks of all that was salvaged in a home, with the names of the contexts that have it. */
export type KnownSalvages = Map<string, string>

/**
 * Makes a reader of the marks of all that was salvaged in a home, whatever the contexts are called by now. The first call reads the first
 * line of each context; the others have its result, to which what is salvaged is added. A context that cannot be read has no marks.
 */
export function rememberSalvages(
  scope: Pick<CheckupScope, 'disk' | 'home'>,
): () => Promise<KnownSalvages> {
  let known: Promise<KnownSalvages> | undefined
  return () => {
    known ??= readMarks(scope)
    return known
  }
}

async function readMarks({
  disk,
  home,
}: Pick<CheckupScope, 'disk' | 'home'>): Promise<KnownSalvages> {
  const marks: KnownSalvages = new Map()
  for (const name of await listContextNames(disk, homePaths(home))) {
    const salvaged = await firstAnchor(disk, home, name).then(
      (anchor) => anchor?.metadata?.salvaged,
      () => undefined,
    )
    if (Array.isArray(salvaged)) for (const mark of salvaged) marks.set(String(mark), name)
  }
  return marks
}

/** The part of a store that a salvage works with. */
export interface SalvageStore {
  findContext(name: string): Promise<unknown>
  readWhole(name: string, signal?: AbortSignal): Promise<TranscriptReading>
  openWriter(
    name: string,
    options: {
      readonly create: boolean
      readonly beginning?: ContextBeginning
      readonly waitMs?: number
      readonly signal?: AbortSignal
    },
  ): Promise<{ close(): Promise<void> }>
}

/**
 * Makes a new context of every entry of a context that can be read, in order, those in damaged lines too. The context that it is made of is
 * only read. Resolves to the new name.
 *
 * @param marks of what is salvaged; the new context keeps them
 * @throws AppError `unreadable`, `disk-full`, `io`, `read-only`, `exists`; the signal's reason
 */
export async function salvageContext(
  store: SalvageStore,
  name: string,
  marks: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  let entries = 0
  let last: Entry | undefined
  const missing: string[] = []
  for await (const entry of readableEntries(store, name, signal, ({ sentence }) =>
    missing.push(sentence),
  )) {
    entries += 1
    last = entry
  }
  const key = ConversationKey.parse(name)
  const origin: ContextOrigin = { source: 'chibi', key, entry: last?.id ?? null, entries }
  const salvaged = await freeName(store, name)
  const beginning = {
    metadata: { origin, salvaged: [...marks], ...(missing.length === 0 ? {} : { missing }) },
    entries: draftsOf(readableEntries(store, name, signal, () => undefined)),
  }
  const writer = await store.openWriter(salvaged, { create: true, beginning, signal })
  await writer.close()
  return salvaged
}

function stemOf(name: string): string {
  return `${name.slice(0, longestStem)}${ending}`
}

async function freeName(store: Pick<SalvageStore, 'findContext'>, name: string): Promise<string> {
  for (let n = 1; n <= mostNames; n++) {
    const wanted = `${stemOf(name)}${n === 1 ? '' : `-${n}`}`
    if ((await store.findContext(wanted)) === undefined) return wanted
  }
  throw new AppError('exists', `All names of what is salvaged of "${name}" are taken.`)
}

/**
 * All but the anchor that a context begins with: the new one has its own.
 *
 * @param without is told what is gone; what the disk refuses now is an error, since it must not make a shorter conversation
 */
async function* readableEntries(
  store: Pick<SalvageStore, 'readWhole'>,
  name: string,
  signal: AbortSignal,
  without: (part: UnreadPart) => void,
): AsyncGenerator<Entry> {
  const reading = await store.readWhole(name, signal)
  const onGap = (part: UnreadPart) => {
    if (part.cause === 'failed') throw notWholeError(name, [part])
    without(part)
  }
  let isFirst = true
  for await (const row of allowGaps(reading.rows, onGap)) {
    if (row.type !== 'entry') continue
    if (!isFirst || row.entry.entry_type !== 'context_created') yield row.entry
    isFirst = false
  }
}

async function* draftsOf(entries: AsyncIterable<Entry>): AsyncGenerator<EntryDraft> {
  // The schema leaves the place behind.
  for await (const entry of entries) yield EntryDraft.parse(entry)
}

async function firstAnchor(disk: Disk, home: string, name: string): Promise<Entry | undefined> {
  const found = await findContextFiles(disk, home, contextPaths(home, name), 'never')
  const [first] = found?.files ?? []
  if (first === undefined) return undefined
  const start = { file: 0, offset: 0, line: 1 }
  for await (const { fact } of stepsForward(disk, name, [first], start, undefined)) {
    const [row] = fact.rows
    return row?.type === 'entry' && isAnchor(row.entry) ? row.entry : undefined
  }
  return undefined
}

/** A mark of what can be salvaged of a file. */
export interface Salvage {
  readonly mark: string
  /** The context that has it already. */
  readonly isIn: string | undefined
}

/**
 * Finds what can be salvaged, by the places of the files. Reads these.
 *
 * @param known what was salvaged before; called where there is something
 * @throws FileMovedError, DiskError; the signal's reason
 */
export async function findSalvages(
  disk: Disk,
  name: string,
  { files }: Pick<ContextFiles, 'files'>,
  knownMarks: () => Promise<KnownSalvages>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Salvage>> {
  const marks = new Map<string, string>()
  for (const file of files) {
    if (file.kind === 'document') continue
    const mark = await digestSalvage(disk, file, name, signal)
    if (mark !== undefined) marks.set(file.place, mark)
  }
  if (marks.size === 0) return new Map()
  const known = await knownMarks()
  return new Map([...marks].map(([place, mark]) => [place, { mark, isIn: known.get(mark) }]))
}
