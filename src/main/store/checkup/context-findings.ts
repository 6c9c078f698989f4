import path from 'node:path'
import { countWithNoun, plural } from '../../../shared/model/basics/plural'
import type { HomeFinding } from '../../../shared/model/checkup'
import type { Disk } from '../../disk/interface/disk'
import { readJson } from '../../disk/json/read-json'
import { readPendingCompaction } from '../context-window/pending-compaction'
import { type ContextPaths, contextPaths, homeRelativePath } from '../core/home-paths'
import type { TranscriptFile } from '../core/transcript-file'
import type { ContextFiles } from '../files/context-files'
import { findWindowOnlyLines } from '../files/window-only-lines'
import { withContextFiles } from '../files/with-context-files'
import { readInbox } from '../inbox/inbox'
import { readFileFacts } from '../lines/file-facts'
import { isLegacyPage } from '../lines/legacy-document'
import { inspectLock, type LockInspection, lockPaths } from '../lock/lock-files'
import { type FileVerdict, verifyContext } from '../partitions/verify'
import { type FoundThere, findingOf } from './finding-words'
import { type CheckupScope, claimLeft, temporaryLeft, unreadableAt } from './home-files'
import { digestSalvage, type KnownSalvages } from './salvage'

/** The scope of a checkup that looks into contexts. */
export interface ContextScope extends CheckupScope {
  /** What was salvaged in the home. */
  readonly salvages: () => Promise<KnownSalvages>
}

/** The findings of a context. */
export interface ContextFindings {
  readonly findings: readonly HomeFinding[]
  /** Whether all was looked at: false where a part cannot be read, a program has it open, or it is gone. */
  readonly isWhole: boolean
}

/**
 * Finds what is wrong with one context; changes nothing. Reads each of its files once or twice. Of one that is gone by the end it finds
 * nothing.
 *
 * @throws the signal's reason
 */
export async function contextFindings(
  scope: ContextScope,
  name: string,
  signal: AbortSignal,
): Promise<ContextFindings> {
  const { disk, home } = scope
  const paths = contextPaths(home, name)
  let findings: HomeFinding[] = []
  let isWhole = true
  const tried = async (target: string, look: () => Promise<readonly HomeFinding[]>) => {
    signal.throwIfAborted()
    try {
      findings.push(...(await look()))
    } catch (error) {
      signal.throwIfAborted()
      isWhole = false
      findings.push(unreadableAt(home, target, error, name))
    }
  }
  let isHeld = await lookInside(scope, paths, tried, signal)
  // A program took it while it was looked at: what was found may be what that has in its hands.
  if (!isHeld && findings.length > 0 && (await isHeldNow(scope, paths))) {
    findings = []
    isWhole = true
    isHeld = await lookInside(scope, paths, tried, signal)
  }
  // It was deleted or got another name meanwhile: what was found has no place any more.
  if (!isWhole && (await isGone(disk, paths))) return { findings: [], isWhole }
  return { findings, isWhole: isWhole && !isHeld }
}

async function isHeldNow(scope: CheckupScope, { folder }: ContextPaths): Promise<boolean> {
  const { disk, now, heartbeatSeconds } = scope
  const lock = await inspectLock({ disk, folder, now, heartbeatSeconds }).catch(() => undefined)
  return lock?.type === 'held'
}

async function isGone(disk: Disk, { folder }: ContextPaths): Promise<boolean> {
  const stat = await disk.stat(folder).catch(() => 'refused' as const)
  return stat !== 'refused' && stat?.kind !== 'directory'
}

/** Resolves to true where another program has it open, which leaves out what that has in its hands. */
async function lookInside(
  scope: ContextScope,
  paths: ContextPaths,
  tried: (target: string, look: () => Promise<readonly HomeFinding[]>) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  const { disk, home, now, heartbeatSeconds } = scope
  const { name } = paths
  const lock: LockInspection[] = []
  await tried(lockPaths(paths.folder).lock, async () => {
    lock.push(await inspectLock({ disk, folder: paths.folder, now, heartbeatSeconds }))
    return lock.flatMap((one) => lockFindings(one, home, paths))
  })
  // What a writer has in its hands is no damage: it is done with it in a moment.
  const isHeld = lock.some(({ type }) => type === 'held')
  await tried(paths.transcript, () =>
    withContextFiles({ disk, home, name }, async (found) => [
      ...(await fileFindings(scope, paths, found, isHeld, signal)),
      ...(isHeld ? [] : passingFindings(home, paths, found)),
      ...(isHeld ? [] : await windowFindings(scope, paths, found, signal)),
    ]),
  )
  await tried(path.join(paths.folder, 'inbox.jsonl'), () => inboxFindings(disk, home, paths))
  await tried(paths.meta, () => metaFindings(disk, home, paths))
  if (isHeld) return true
  await tried(paths.partial, async () =>
    (await disk.stat(paths.partial)) === undefined
      ? []
      : [
          findingOf({
            kind: 'answer-interrupted',
            place: homeRelativePath(home, paths.partial),
            context: name,
            happened: 'A program ended while an answer came in.',
          }),
        ],
  )
  await tried(paths.folder, async () =>
    (await readPendingCompaction({ disk, paths })) === undefined
      ? []
      : [
          findingOf({
            kind: 'compaction-unfinished',
            place: homeRelativePath(home, path.join(paths.folder, 'compacting.skein.json')),
            context: name,
            happened: 'A program ended while it summarized earlier messages.',
          }),
        ],
  )
  await tried(paths.folder, () => claimLeft(scope, lockPaths(paths.folder).gate, name))
  for (const folder of [paths.folder, paths.transcript, paths.partitions])
    await tried(folder, () => temporaryLeft(scope, folder, name))
  return false
}

function lockFindings(
  lock: LockInspection,
  home: string,
  paths: ContextPaths,
): readonly HomeFinding[] {
  const place = homeRelativePath(home, lockPaths(paths.folder).lock)
  const context = paths.name
  if (lock.type === 'blocked')
    return [
      findingOf({
        kind: 'lock-blocked',
        place,
        context,
        happened: `What has the lock's name is ${lock.by}, and no lock. Delete it where nothing writes.`,
      }),
    ]
  if (lock.type === 'held' && lock.isAhead)
    return [
      findingOf({
        kind: 'lock-ahead',
        place,
        context,
        happened: `The lock's time lies ahead of this clock. Delete it where nothing writes.`,
      }),
    ]
  if (lock.type !== 'stale') return []
  return [
    findingOf({
      kind: 'lock-left',
      place,
      context,
      happened: lock.mayWake
        ? 'A program took the lock, has not renewed it for too long, and may only sleep.'
        : 'A program that has ended left its lock.',
      // A sleeper may wake and go on: who writes next has to know that, and a repair is nobody who writes.
      ...(lock.mayWake ? { repair: null } : {}),
    }),
  ]
}

/** Damage of the files themselves: nothing that ends by itself. */
async function fileFindings(
  { disk, home, salvages }: ContextScope,
  paths: ContextPaths,
  found: ContextFiles,
  isHeld: boolean,
  signal: AbortSignal,
): Promise<readonly HomeFinding[]> {
  const context = paths.name
  const findings: HomeFinding[] = []
  const add = (one: FoundThere) => findings.push(findingOf({ context, ...one }))
  const missing = found.missing.map(({ part }) => ({
    place: missingPlace(home, paths, part.file),
    happened: part.sentence,
  }))
  for (const one of missing) add({ kind: 'part-missing', ...one })
  if (found.windowNotice !== undefined && found.window !== undefined) {
    const isPage = found.files.every(({ kind }) => kind === 'document')
    add({
      kind: 'lines-beside',
      place: found.window.place,
      happened: found.windowNotice,
      ...(isPage ? { repair: null } : {}),
    })
  }
  if (found.oddities.length > 0)
    add({
      kind: 'reading-odd',
      place: homeRelativePath(home, paths.folder),
      happened: found.oddities.join(' '),
    })
  const gone = new Set(missing.map(({ place }) => place))
  const seals = homeRelativePath(home, paths.seals)
  const verdicts = await verifyContext(disk, home, paths, found, signal)
  const half = isHeld ? await halfLines(disk, found, paths.name, signal) : new Map<string, number>()
  const damaged = new Set(verdicts.flatMap((one) => (one.damaged > 0 ? [one.file] : [])))
  const files = isHeld ? [] : found.files.filter(({ place }) => damaged.has(place))
  const marks = await findSalvages(disk, paths.name, { files }, salvages, signal)
  for (const verdict of verdicts)
    for (const one of verdictFindings(withoutHalf(verdict, half), seals, gone))
      add(one.kind === 'lines-damaged' ? { ...one, ...salvageOf(marks.get(one.place)) } : one)
  return findings
}

/** A line that its writer has not ended yet, by the place of its file. */
async function halfLines(
  disk: Disk,
  { files, activePath }: ContextFiles,
  name: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const half = new Map<string, number>()
  for (const file of files) {
    if (file.path !== activePath) continue
    let isHalf = false
    for await (const batch of readFileFacts(disk, file, name, signal))
      for (const { kind, place } of batch)
        isHalf = kind === 'damaged' && place.offset + place.length >= file.sizeBytes
    if (isHalf) half.set(file.place, 1)
  }
  return half
}

function withoutHalf(verdict: FileVerdict, half: ReadonlyMap<string, number>): FileVerdict {
  const damaged = Math.max(0, verdict.damaged - (half.get(verdict.file) ?? 0))
  return { ...verdict, damaged }
}

const copiesEntries =
  'Copies every entry of the conversation that can be read, those in damaged lines too, into a new one; this file stays as it is.'

function salvageOf(mark: Salvage | undefined): Partial<FoundThere> {
  if (mark === undefined) return {}
  if (mark.isIn === undefined) return { repair: copiesEntries }
  return {
    lost: `What the damaged bytes held, but for the entries that were copied to "${mark.isIn}".`,
  }
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

/** The manifest names its files from the folder of the transcript, and may name anything. */
function missingPlace(home: string, paths: ContextPaths, file: string): string {
  const own = homeRelativePath(home, paths.folder)
  return file.startsWith(`${own}/`) ? file : `${own}/transcript/${file}`
}

function* verdictFindings(
  verdict: FileVerdict,
  seals: string,
  gone: ReadonlySet<string>,
): Generator<FoundThere> {
  const { file, damaged, ok, sealed, firstChangedByte, addedBytes } = verdict
  if (file === seals) {
    const many = countWithNoun(damaged, 'line')
    yield {
      kind: 'seals-damaged',
      place: file,
      happened: `${many} of the file of seals ${plural(damaged, 'is no seal', 'are no seals')}.`,
    }
    return
  }
  if (damaged > 0)
    yield {
      kind: 'lines-damaged',
      place: file,
      happened: `${countWithNoun(damaged, 'line')} of this file ${plural(damaged, 'is no entry', 'are no entries')}.`,
    }
  if (ok || !sealed || gone.has(file)) return
  const where = firstChangedByte === undefined ? '' : `, from byte ${firstChangedByte} on`
  const added =
    addedBytes === undefined ? '' : ` ${countWithNoun(addedBytes, 'byte')} came behind it.`
  yield {
    kind: 'partition-changed',
    place: file,
    happened: `This archived file is not what it was when it was sealed${where}.${added}`,
  }
}

/** What an interrupted change left; a running one has the same for a moment. */
function passingFindings(
  home: string,
  paths: ContextPaths,
  found: ContextFiles,
): readonly HomeFinding[] {
  const context = paths.name
  const { manifest, strays, halfMoved, spares } = found
  const [first] = found.files
  // A transcript beside the page would hide it: there is nothing that could be opened.
  const isPage = first?.kind === 'document' && isLegacyPage(first.place)
  const unless = isPage ? { repair: null } : {}
  const findings: HomeFinding[] = []
  if (manifest.type === 'damaged')
    findings.push(
      findingOf({
        kind: 'manifest-damaged',
        place: homeRelativePath(home, paths.manifest),
        context,
        happened: `${manifest.reason}.`,
        ...unless,
      }),
    )
  else
    for (const { place } of strays)
      findings.push(
        findingOf({
          kind: 'partition-unlisted',
          place,
          context,
          happened: 'An archived file is not in the manifest, so chibi does not read it.',
          ...unless,
        }),
      )
  const halves = [
    ...(halfMoved === undefined ? [] : [halfMoved.path]),
    ...spares.map((spare) => spare.path),
  ]
  for (const target of halves)
    findings.push(
      findingOf({
        kind: 'rotation-unfinished',
        place: homeRelativePath(home, target),
        context,
        happened: 'A program ended while it archived the newest entries: a file has two names.',
        ...unless,
      }),
    )
  return findings
}

/** Nobody can tell whether such a line was more than the transcript has. */
const notDerived = {
  lost: 'What the damaged bytes held, unless the transcript has it.',
  byItself: 'Keeps lines that it alone has when the next summary or fresh start builds it anew.',
  repair: null,
}

/** A line of the window that is no entry; where the window has entries of its own, `lines-beside` says so. */
async function windowFindings(
  { disk, home }: CheckupScope,
  paths: ContextPaths,
  found: ContextFiles,
  signal: AbortSignal,
): Promise<readonly HomeFinding[]> {
  const { window } = found
  if (window === undefined || window.sizeBytes === 0 || found.windowNotice !== undefined) return []
  const damaged = await damagedLines(disk, window, paths.name, signal)
  if (damaged === 0) return []
  return [
    findingOf({
      kind: 'window-damaged',
      place: homeRelativePath(home, paths.window),
      context: paths.name,
      happened: `${countWithNoun(damaged, 'line')} of what the model is sent ${plural(damaged, 'is no entry', 'are no entries')}.`,
      ...((await isWindowDerived(disk, paths, found)) ? {} : notDerived),
    }),
  ]
}

/**
 * Resolves to true where context.jsonl has no line that the transcript lacks, half ones too, so that a new one can be made of that. Reads
 * both.
 *
 * @throws FileMovedError, DiskError
 */
export async function isWindowDerived(
  disk: Disk,
  paths: ContextPaths,
  { files, window }: ContextFiles,
): Promise<boolean> {
  if (window === undefined) return true
  const transcript = files.filter(({ kind }) => kind !== 'window')
  if (transcript.every(({ kind }) => kind === 'document')) return false
  const { lines } = await findWindowOnlyLines({ disk, name: paths.name, window, files: transcript })
  return lines.length === 0
}

/** How many lines are no entry. */
async function damagedLines(
  disk: Disk,
  window: TranscriptFile,
  name: string,
  signal: AbortSignal,
): Promise<number> {
  const whole: TranscriptFile = { ...window, kind: 'window' }
  let damaged = 0
  for await (const batch of readFileFacts(disk, whole, name, signal))
    for (const { kind } of batch) if (kind === 'damaged') damaged += 1
  return damaged
}

async function inboxFindings(
  disk: Disk,
  home: string,
  paths: ContextPaths,
): Promise<readonly HomeFinding[]> {
  const { inboxDamaged } = await readInbox(disk, paths)
  if (inboxDamaged === 0) return []
  return [
    findingOf({
      kind: 'inbox-damaged',
      place: homeRelativePath(home, path.join(paths.folder, 'inbox.jsonl')),
      context: paths.name,
      happened: `${countWithNoun(inboxDamaged, 'line')} of the inbox ${plural(inboxDamaged, 'is no message', 'are no messages')}.`,
    }),
  ]
}

async function metaFindings(
  disk: Disk,
  home: string,
  paths: ContextPaths,
): Promise<readonly HomeFinding[]> {
  if ((await readJson(disk, paths.meta)) !== 'damaged') return []
  return [
    findingOf({
      kind: 'meta-damaged',
      place: homeRelativePath(home, paths.meta),
      context: paths.name,
      happened: 'context_meta.json is no JSON.',
    }),
  ]
}
