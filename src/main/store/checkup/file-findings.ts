import { countWithNoun, plural } from '../../../shared/model/basics/plural'
import type { HomeFinding } from '../../../shared/model/checkup'
import type { Disk } from '../../disk/interface/disk'
import { type ContextPaths, homeRelativePath } from '../core/home-paths'
import type { ContextFiles } from '../files/context-files'
import { readFileFacts } from '../lines/file-facts'
import { isLegacyPage } from '../lines/legacy-document'
import { type FileVerdict, verifyContext } from '../partitions/verify'
import { type FoundThere, findingOf } from './finding-words'
import type { CheckupScope } from './home-files'
import { findSalvages, type KnownSalvages, type Salvage } from './salvage'

/** The scope of a checkup that looks into contexts. */
export interface ContextScope extends CheckupScope {
  /** What was salvaged in the home. */
  readonly salvages: () => Promise<KnownSalvages>
}

/** Finds the damage of the files themselves: nothing that ends by itself. Reads them. */
export async function fileFindings(
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

/** Finds what an interrupted change left; a running one has the same for a moment. */
export function passingFindings(
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
