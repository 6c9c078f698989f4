import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry } from '../../../shared/model/conversation/entry'
import { notWholeError, type UnreadPart } from '../../../shared/model/conversation/reading'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { LossReport } from '../../../shared/model/export'
import { type ExportChoices, leavesOut } from '../../../shared/model/export-choices'
import type { Redaction, RedactionReport } from '../../../shared/model/redaction'
import type { Disk } from '../../disk/interface/disk'
import type { ProtectedPlaces } from '../../disk/writing/protected-places'
import { countLosses } from '../../exporters/losses'
import type { Exportable, Exporter } from '../../exporters/parts/exporter'
import type { LabelStore } from '../../library/families/labels'
import { withImageBytes, withKeptImages } from '../../library/images/entry-images'
import { type History, realFileOf } from '../../library/sources/histories'
import { contextOriginal, historyOriginal, type Original } from '../../library/sources/originals'
import { readActivePath } from '../../readers/active-path'
import { forkRuleOf } from '../../readers/common/reader'
import { filledEntry } from '../../readers/filled-output'
import { headOf, withTime } from '../../readers/read-root'
import { createRedactor, type Redactor } from '../../redaction/redactor'
import type { TitleStore } from '../../store/given-titles'
import type { Store } from '../../store/store'
import type { ProgramPlace } from '../continuing/program-place'
import { chosenConversation, findLeftOut } from './chosen-conversation'
import { completed, counted, Pass, rowsFrom, rowsOf } from './export-rows'
import { type ExportHead, givenTo, labelsFor } from './given-to-conversation'
import type { LastReading, ReadFacts } from './last-reading'
import { type PrintPage, printedPieces } from './printed'
import { findSecrets, redactedConversation } from './redacted-conversation'
import { saveExport, saveInNewFolders, saveNewExport } from './save-export'
import type { LedgersOf } from './shared-ledgers'

/** A conversation where it lies, with the reader of its format. */
export type ExportSource = Pick<History, 'reader' | 'ref'> & {
  /** Its library key, where it is another one than its own key makes: that of a copy in a second root. */
  readonly key?: LibraryKey | undefined
  /** Another one whenever its files changed; undefined where that is not known. */
  readonly stamp?: string | undefined
}

/** The format to write, and how much of the tree. */
export interface ExportForm extends ExportChoices {
  readonly exporter: Exporter
}

/** A conversation that is ready to be written in one format. */
export interface OpenExport {
  readonly conversation: Readonly<Record<'source' | 'key' | 'title', string>> & {
    readonly created: string | null
    readonly project: string | null
  }
  /** The names by which its file is called: redacted ones where that was asked for. */
  readonly named: Readonly<Record<'source' | 'key', string>> & { readonly created: string | null }
  /** Reports what is redacted: all that was found at first, and after a writing what that met. Undefined where nothing is looked for. */
  redacted(): RedactionReport | undefined
  /** Entries and damaged lines that the last reading of it met. */
  counts(): { readonly entries: number; readonly damaged: number }
  /** Parts that no reading of it could read so far, a sentence each. */
  unread(): readonly string[]
  /** Counts what has no place in the format: by the reading that opened it, else by one more. Rejects with the signal's reason. */
  losses(): Promise<LossReport>
  /** When it changed last, by its history, in Unix milliseconds; undefined where that is not known, or times are left out. */
  changedMs(): number | undefined
  /**
   * Gives the file in pieces, read from the disk meanwhile. Throws AppError `unreadable` for the original of a conversation that is not whole,
   * and as `printedPieces` for a format that is printed.
   *
   * @param fileName of the file, where it has one
   */
  pieces(fileName?: string): AsyncIterable<string | Uint8Array>
  /** Gives the pieces of what a person looks at before: of the file, or of the page that is printed. */
  previewPieces(): AsyncIterable<string | Uint8Array>
  /** Names a file of the bytes that it was read from. */
  originalName(): Promise<string>
  /**
   * Writes the file whole or not at all, and resolves to its bytes; with `isNew`, and a session always, under a name that is free.
   *
   * @throws AppError `bad-argument` a place among what is read, `disk-full`, `io`, `unreadable`
   */
  save(file: string, isNew?: boolean): Promise<number>
  /**
   * Writes a new session where its own program has them, whole or not at all; makes the folders around it. Only for a place that a
   * person named or allowed: it lies among what is read. Resolves to its bytes.
   *
   * @throws AppError `disk-full`, `io` also where a file came there meanwhile, `unreadable`
   */
  saveInProgram(place: Pick<ProgramPlace, 'file' | 'folder'>): Promise<number>
}

/** Dependencies of reading conversations for an export. */
export interface ExportedDeps {
  readonly disk: Disk
  /** Undefined where other systems' histories alone are read. */
  readonly store: Store | undefined
  readonly titles: Pick<
    TitleStore,
    'look' | 'of' | 'tagsOf' | 'isPinned' | 'colorOf' | 'isHidden' | 'faultOf'
  >
  readonly labels: Pick<LabelStore, 'look' | 'index' | 'faultOf'>
  /** Prints pages; nothing does where it is absent. */
  readonly print?: PrintPage | undefined
}

/** Things that several exports share. */
interface ExportMeans {
  /** Places that an export must not be written to, besides the conversation's own files. */
  readonly kept: ProtectedPlaces
  readonly ledgersOf: LedgersOf
  readonly lastReading: LastReading
}

/**
 * Opens a conversation for an export: reads it once for what its entries tell of it as a whole (models, times), counting
 * what has no place in the format meanwhile; not where it is the one of the last reading and did not change. `pieces` read
 * it again. Where entries have parents, one more reading finds the path to where the conversation is now, and where it is to
 * be redacted, one more all of its secrets. Holds one entry at a time.
 *
 * @throws AppError `not-found`, `unreadable`, `bad-argument` for a format that keeps bytes, or an own pattern that cannot be used;
 * the signal's reason
 */
export async function openExport(
  { disk, store, titles, labels, print }: ExportedDeps,
  of: ExportSource,
  form: ExportForm,
  { kept, ledgersOf, lastReading }: ExportMeans,
  signal: AbortSignal,
): Promise<OpenExport> {
  const { ref } = of
  const { exporter, branches = exporter.branches, parts, range } = form
  const redactor = redactorFor(exporter, form.redaction)
  const unreadParts = new Map<string, UnreadPart>()
  const addGap = (part: UnreadPart) =>
    void unreadParts.set(JSON.stringify([part.file, part.fromByte, part.sentence]), part)
  const unread = () => [...unreadParts.values()]

  const active = await readActivePath(of.reader, ref, disk, signal)
  let last = new Pass()
  let report: LossReport | undefined
  const known = await withTime(ref, disk)
  // Bytes that are copied have no title of ours in any case.
  const onUnknown = exporter.id === 'original' ? () => undefined : addGap
  const given = await givenTo(of, titles, onUnknown)
  const labelOf = await labelsFor(of, labels, onUnknown)
  const withGiven = ({ fact, entries }: ReadFacts): ExportHead => ({
    ...headOf(known, fact, entries),
    ...given,
  })

  async function readFacts(): Promise<ReadFacts> {
    let isWhole = true
    const onGap = (part: UnreadPart) => {
      isWhole = false
      addGap(part)
    }
    // Losses do not depend on how long an output is.
    const rows = rowsOf(disk, { ...of, labelOf }, last, onGap, signal)
    // The conversation comes before its rows.
    const first = await rows.next()
    const { fact, facts: entries } = last
    if (fact === undefined) {
      await rows.return()
      throw new AppError('not-found', `There is no conversation "${ref.key}" any more.`)
    }
    const facts = { fact, entries }
    const counted = {
      ...withGiven(facts),
      active,
      rows: rowsFrom(first, rows),
      originals: originalBytes,
    }
    const all = await countLosses(exporter, counted, { branches, unread }, signal)
    if (!leavesOut(parts, range)) report = all
    if (isWhole) lastReading.keep(of, facts)
    return facts
  }

  let opened: Promise<Original> | undefined
  function original(): Promise<Original> {
    opened ??= originalOf({ disk, store }, of)
    return opened
  }
  async function* originalBytes(): AsyncGenerator<Uint8Array> {
    yield* (await original()).bytes(signal)
  }

  // The original is copied past its rows: whether all of it can be read, a reading tells.
  const remembered = exporter.id === 'original' ? undefined : lastReading.find(of)
  const head = withGiven(remembered ?? (await readFacts()))

  const choice = { parts, range, branches }
  const leftOut = await findLeftOut(plainConversation(), choice, signal)

  function conversation(): Exportable {
    const plain = wantedConversation()
    if (redactor === undefined) return plain
    redactor.restart()
    return redactedConversation(plain, { redactor, exporter, branches })
  }

  function wantedConversation(): Exportable {
    const plain = plainConversation()
    return leftOut === undefined ? plain : chosenConversation(plain, choice, leftOut)
  }

  function plainConversation(): Exportable {
    const pass = new Pass()
    return {
      ...head,
      active,
      rows: counted(writtenRows(pass), () => {
        last = pass
      }),
      files: () => ledgersOf(of, pass.ledgers),
      originals: originalBytes,
    }
  }

  function writtenRows(pass: Pass): AsyncGenerator<TranscriptRow, void> {
    const rows = rowsOf(disk, { ...of, labelOf }, pass, addGap, signal)
    const { hasOutputs, hasImages, hasKeptImages } = exporter
    const { readAsset, savedOutputs } = of.reader
    const place = { reader: of.reader, root: ref.root }
    const home = ref.source === 'chibi' ? ref.root : undefined
    const steps = [
      hasOutputs && savedOutputs && ((entry: Entry) => filledEntry(disk, place, entry)),
      hasImages && readAsset && ((entry: Entry) => withImageBytes(disk, of, entry)),
      hasKeptImages && home !== undefined && withKeptImages({ disk, home, context: ref.key }),
    ].filter((step) => typeof step === 'function')
    return steps.length === 0 ? rows : completed(rows, steps)
  }

  async function* writtenPieces(
    fileName?: string,
    folder?: string,
  ): AsyncGenerator<string | Uint8Array> {
    // The format has the bytes alone, and no words about what is not in them.
    if (exporter.id === 'original' && unreadParts.size > 0) throw notWholeError(ref.key, unread())
    const options = { branches, fileName, folder, forkRule: forkRuleOf(of.reader, ref), missing }
    yield* exporter.write(conversation(), options, signal)
  }

  const missing = () => ({
    entries: last.entries,
    damaged: last.damaged,
    leftOut: leftOut?.count ?? 0,
    unread: unreadParts.size,
    withoutTimes: parts?.times === false,
    withoutReasoning: parts?.reasoning === false,
    isRedacted: (redactor?.report().places ?? 0) > 0,
  })

  function pieces(fileName?: string, folder?: string): AsyncGenerator<string | Uint8Array> {
    const written = writtenPieces(fileName, folder)
    return exporter.isPrinted === true ? printedPieces(written, print, signal) : written
  }

  if (redactor !== undefined)
    await findSecrets(wantedConversation(), { redactor, exporter, branches }, signal)
  const { source } = head
  const [key = head.key] = redactor?.value([head.key]) ?? []

  return {
    conversation: head,
    named: { source, key, created: head.created },
    redacted: () => redactor?.report(),
    counts: () => ({ entries: last.entries, damaged: last.damaged }),
    unread: () => [...new Set(unread().map(({ sentence }) => sentence))],
    async losses() {
      const options = { branches, unread, chosen: leftOut?.count ?? 0 }
      report ??= await countLosses(exporter, wantedConversation(), options, signal)
      return report
    },
    changedMs() {
      const at = Date.parse((parts?.times === false ? null : (head.updated ?? head.created)) ?? '')
      return Number.isNaN(at) ? undefined : at
    },
    pieces: (fileName) => pieces(fileName),
    previewPieces: () => writtenPieces(),
    originalName: async () => (await original()).name,
    async save(file, isNew = false) {
      const places = { ...kept, files: await filesOf(of, store) }
      const save = isNew || exporter.isSession === true ? saveNewExport : saveExport
      return save(disk, file, pieces(path.basename(file)), places)
    },
    async saveInProgram({ file, folder }) {
      const places = { roots: [], files: await filesOf(of, store) }
      return saveInNewFolders(disk, file, pieces(path.basename(file), folder), places)
    },
  }
}

function redactorFor({ id }: Exporter, redaction: Redaction | undefined): Redactor | undefined {
  if (redaction === undefined) return undefined
  if (id === 'original')
    throw new AppError(
      'bad-argument',
      'The original is the conversation’s own bytes and cannot be redacted; JSON has all of its data.',
    )
  return createRedactor(redaction)
}

/** Opens the bytes that a conversation was read from. @throws AppError `not-found`, `unreadable` */
export async function originalOf(
  { disk, store }: Pick<ExportedDeps, 'disk' | 'store'>,
  of: ExportSource,
): Promise<Original> {
  if (of.ref.source === 'chibi' && store !== undefined)
    return contextOriginal(disk, store, of.ref.key)
  return historyOriginal(disk, of)
}

/** Lists the files that a conversation is read from, wherever they lie, archives for their members; absolute. @throws AppError `unreadable` */
async function filesOf(
  { ref }: ExportSource,
  store: Store | undefined,
): Promise<readonly string[]> {
  if (ref.source === 'chibi' && store !== undefined)
    return (await store.listFiles(ref.key)).files.map((file) => file.path)
  return ref.files.map(({ file }) => realFileOf(path.join(ref.root, file)))
}
