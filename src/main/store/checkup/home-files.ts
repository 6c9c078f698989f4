import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { FindingKind, HomeFinding } from '../../../shared/model/checkup'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { readJson } from '../../disk/json/read-json'
import { exclusiveOwner } from '../../disk/process/exclusive'
import { isDead } from '../../disk/process/process-stamp'
import { namesInFolder, readSmallText } from '../../disk/reading/read'
import { isTemporaryName } from '../../disk/writing/atomic'
import { type HomePaths, homePaths, homeRelativePath, isContextName } from '../core/home-paths'
import { FileMovedError } from '../lines/file-facts'
import { areFlagsWhole } from '../registry/context-flags'
import { readKnownState } from '../registry/known-contexts'
import { findingOf } from './finding-words'
import { countOddItems, oddItemsWords } from './odd-items'

/** The disk, home and clock of a checkup. */
export interface CheckupScope {
  readonly disk: Disk
  /** Absolute. */
  readonly home: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly heartbeatSeconds: number
}

/** A file of a home that is one JSON value and whose broken state a repair replaces. */
export interface HomeFile {
  readonly path: string
  readonly kind: FindingKind
  /** In bytes. */
  readonly limit: number
  /** The list that it must have; undefined where any object will do. */
  readonly list?: string
}

const megabytes = 1024 * 1024

/** Returns the files of a home that Skein and chibi write as a whole. */
export function homeFiles(paths: HomePaths): readonly HomeFile[] {
  return [
    { path: paths.state, kind: 'state-damaged', limit: 16 * megabytes, list: 'contexts' },
    { path: paths.marks, kind: 'flags-damaged', limit: 16 * megabytes },
    { path: paths.titles, kind: 'titles-damaged', limit: 64 * megabytes, list: 'titles' },
    { path: paths.labels, kind: 'labels-damaged', limit: 16 * megabytes, list: 'labels' },
    { path: paths.session, kind: 'session-damaged', limit: 16 * megabytes },
  ]
}

/** Resolves to true where a file of a home is there and is not what it has to be. @throws DiskError */
export async function isBroken(disk: Disk, file: HomeFile): Promise<boolean> {
  const found = await readJson(disk, file.path, file.limit)
  if (found === undefined) return false
  if (found === 'damaged' || !isJsonObject(found.value)) {
    // chibi and Skein take an empty state.json for a new one.
    const isEmpty = async () => (await readSmallText(disk, file.path, file.limit))?.trim() === ''
    return file.kind !== 'state-damaged' || !(await isEmpty())
  }
  if (file.kind === 'flags-damaged')
    return !areFlagsWhole((await readSmallText(disk, file.path, file.limit)) ?? '{}')
  return file.list !== undefined && !Array.isArray(found.value[file.list])
}

/** Says that a file is broken. */
export function brokenWords(file: string): string {
  return `${path.basename(file)} is not what a program wrote: it is cut off, or bytes of it changed.`
}

/** A temporary file of that age is no write that goes on. */
const leftAfterMs = 60_000

/** Lists temporary files in a folder that a killed process left. @throws DiskError */
export async function temporaryLeft(
  { disk, home, now }: CheckupScope,
  folder: string,
  context?: string,
): Promise<readonly HomeFinding[]> {
  const findings: HomeFinding[] = []
  for (const name of await namesInFolder(disk, folder)) {
    if (!isTemporaryName(name)) continue
    const target = path.join(folder, name)
    const stat = await disk.stat(target)
    if (stat === undefined || now() - stat.mtimeMs < leftAfterMs) continue
    findings.push(
      findingOf({
        kind: 'temporary-left',
        place: homeRelativePath(home, target),
        ...(context === undefined ? {} : { context }),
        happened: 'A program was ended while it wrote a file, and left what it had written.',
      }),
    )
  }
  return findings
}

/** Finds a claim that a dead process left. @throws DiskError */
export async function claimLeft(
  { disk, home }: CheckupScope,
  target: string,
  context?: string,
): Promise<readonly HomeFinding[]> {
  const owner = await exclusiveOwner(disk, target)
  if (owner === undefined || !isDead(owner)) return []
  return [
    findingOf({
      kind: 'claim-left',
      place: homeRelativePath(home, target),
      ...(context === undefined ? {} : { context }),
      happened: `A Skein that has ended (process ${owner.pid}) left a file that says that it writes.`,
    }),
  ]
}

/** Makes a finding of what a disk refuses, or what moved while it was read; another error is thrown. */
export function unreadableAt(
  home: string,
  target: string,
  error: unknown,
  context?: string,
): HomeFinding {
  const why = whyUnreadable(error)
  if (why === undefined) throw error
  return findingOf({
    kind: 'unreadable',
    place: homeRelativePath(home, target),
    ...(context === undefined ? {} : { context }),
    happened: why,
  })
}

function whyUnreadable(error: unknown): string | undefined {
  if (error instanceof FileMovedError) return 'It was replaced again and again while it was read.'
  if (error instanceof DiskError) return `It cannot be read: ${error.message}.`
  if (!(error instanceof AppError)) return undefined
  return whyUnreadable(error.cause) ?? error.message
}

/**
 * Finds what is wrong with the files of a home itself and with the names in its folder of contexts. Reads no transcript.
 *
 * @param names of the contexts that are there
 * @throws DiskError where the folders of the home cannot be listed; the signal's reason
 */
export async function homeFindings(
  scope: CheckupScope,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly HomeFinding[]> {
  const { disk, home } = scope
  const paths = homePaths(home)
  const findings: HomeFinding[] = []
  for (const file of homeFiles(paths)) {
    signal.throwIfAborted()
    try {
      if (await isBroken(disk, file))
        findings.push(
          findingOf({
            kind: file.kind,
            place: homeRelativePath(home, file.path),
            happened: brokenWords(file.path),
          }),
        )
      const odd = await countOddItems(disk, file)
      if (odd > 0)
        findings.push(
          findingOf({
            kind: 'reading-odd',
            place: homeRelativePath(home, file.path),
            happened: oddItemsWords(odd),
          }),
        )
    } catch (error) {
      findings.push(unreadableAt(home, file.path, error))
    }
  }
  findings.push(...(await ofState(scope, paths, names)))
  findings.push(...(await temporaryLeft(scope, home)))
  findings.push(...(await temporaryLeft(scope, paths.contexts)))
  findings.push(...(await claimLeft(scope, paths.stateGate)))
  for (const name of await namesInFolder(disk, paths.contexts)) {
    signal.throwIfAborted()
    if (isContextName(name) || isTemporaryName(name)) continue
    const folder = path.join(paths.contexts, name)
    const holds = await Promise.all(
      ['transcript', 'transcript.jsonl', 'context.jsonl', 'context.json', 'transcript.md'].map(
        (one) => disk.stat(path.join(folder, one)).catch(() => undefined),
      ),
    )
    if (holds.every((stat) => stat === undefined)) continue
    findings.push(
      findingOf({
        kind: 'name-refused',
        place: homeRelativePath(home, folder),
        happened:
          'A conversation lies in a folder whose name has more than ASCII letters, digits, "-" and "_". Give the folder another name.',
      }),
    )
  }
  return findings
}

async function ofState(
  { disk, home }: CheckupScope,
  paths: HomePaths,
  names: readonly string[],
): Promise<readonly HomeFinding[]> {
  const there = new Set(names)
  let listed: ReadonlySet<string>
  let odd: readonly string[]
  try {
    if ((await disk.stat(paths.state)) === undefined) return []
    const state = await readKnownState(disk, paths)
    if (state.isDamaged) return []
    odd = state.notices
    listed = new Set(state.contexts.map(({ name }) => name))
  } catch (error) {
    if (error instanceof DiskError) return []
    throw error
  }
  const findings: HomeFinding[] = []
  if (odd.length > 0)
    findings.push(
      findingOf({
        kind: 'reading-odd',
        place: homeRelativePath(home, paths.state),
        happened: odd.join(' '),
      }),
    )
  for (const name of listed)
    if (isContextName(name) && !there.has(name))
      findings.push(
        findingOf({
          kind: 'context-missing',
          place: homeRelativePath(home, path.join(paths.contexts, name)),
          context: name,
          happened: 'state.json lists this conversation, and its folder is not there.',
        }),
      )
  for (const name of there)
    if (!listed.has(name))
      findings.push(
        findingOf({
          kind: 'context-unlisted',
          place: homeRelativePath(home, path.join(paths.contexts, name)),
          context: name,
          happened: 'state.json does not list this conversation.',
        }),
      )
  return findings
}
