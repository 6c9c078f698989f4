import path from 'node:path'
import { type Disk, DiskError, type DiskFile, type FileStat } from '../../disk/interface/disk'
import { readWholeFile } from '../../disk/reading/read'
import { bytesFile } from '../interface/bytes-file'
import { type RecordFormat, recordPath } from '../interface/record-format'
import { type ComposedLine, heldBytes, writeComposed } from './composed-line'
import { KeptCompositions, LearnedRecords } from './kept-compositions'
import { LineFile } from './line-file'

/** Facts of a record file that a list needs: small, and plain data. */
export type About = Readonly<Record<string, unknown>>

/** The lines of a record file, and what a list needs to know of it. */
export interface Composition {
  readonly lines: readonly ComposedLine[]
  readonly about: About
}

/** The state of all that a record file is made of: another identity once any of it is another. */
export type RecordState = Pick<FileStat, 'identity' | 'mtimeMs'>

/** A way of presenting a container as record files whose lines are composed. Its methods throw DiskError and nothing else. */
export interface LineComposer {
  /** See `RecordFormat.id`. */
  readonly id: string
  /** Undefined where the container is gone. */
  stateOf(disk: Disk, container: string): Promise<RecordState | undefined>
  /** Reads the container; undefined where it has no record file of that name. */
  compose(
    disk: Disk,
    document: DiskFile,
    place: { readonly container: string; readonly name: string },
  ): Promise<Composition | undefined>
}

/**
 * Returns the state of files that belong together; undefined where the first one is gone. One that is missing counts as
 * such.
 *
 * @throws DiskError
 */
export async function stateOfFiles(
  disk: Disk,
  [first, ...others]: readonly [string, ...string[]],
): Promise<RecordState | undefined> {
  const own = await disk.stat(first)
  if (own === undefined) return undefined
  const stats = [own]
  const states = [stateText(own)]
  for (const file of others) {
    const stat = await disk.stat(file)
    if (stat !== undefined) stats.push(stat)
    states.push(stat === undefined ? '' : stateText(stat))
  }
  const mtimeMs = stats.reduce(
    (newest, stat) => Math.max(newest, stat.mtimeMs),
    Number.NEGATIVE_INFINITY,
  )
  return { identity: states.join(';'), mtimeMs }
}

function stateText({ identity, sizeBytes, mtimeMs }: FileStat): string {
  return `${identity}:${sizeBytes}:${mtimeMs}`
}

/** A format whose record files are composed, which takes what a thread has found out of one. */
export interface ComposedFormat extends RecordFormat {
  /** Returns true where a thread has told of a record file, as it is or as it was. */
  knows(container: string, name: string): boolean
  /** Keeps what a thread has told of a record file, for as long as the files that it is made of stay the same. */
  learn(container: string, name: string, known: KnownRecord): void
}

/**
 * Returns the format whose record files a composer makes. What is known of a record file (`About`) is a record file too:
 * see `readAbout`.
 */
export function composedFormat(by: LineComposer): ComposedFormat {
  const kept = new KeptCompositions()
  const told = new LearnedRecords()

  const composed = async (disk: Disk, container: string, name: string, document?: DiskFile) => {
    const state = await by.stateOf(disk, container)
    if (state === undefined) return undefined
    const known =
      kept.get(disk, container, name, state.identity) ?? told.get(container, name, state.identity)
    if (known !== undefined && (document === undefined || known.lines !== undefined))
      return { state, ...known }
    const opened = document ?? (await disk.open(container, 'read'))
    try {
      const made = await by.compose(disk, opened, { container, name })
      if (made === undefined) return undefined
      const { lines, about } = made
      const sizeBytes = lines.reduce((sum, { bytes }) => sum + bytes, 0)
      const found = { identity: state.identity, sizeBytes, about, lines }
      const weight = lines.reduce((sum, line) => sum + heldBytes(line), 0)
      kept.keep(disk, container, name, found, weight)
      return { state, ...found }
    } finally {
      if (document === undefined) await opened.close()
    }
  }

  const openLines = async (disk: Disk, container: string, name: string) => {
    const document = await disk.open(container, 'read')
    let isUsed = false
    try {
      const made = await composed(disk, container, name, document)
      const target = recordPath({ container, format: by.id, name })
      if (made?.lines === undefined)
        throw new DiskError('not-found', target, `${path.basename(container)} has changed`)
      isUsed = true
      const { lines, sizeBytes, state } = made
      return new LineFile(target, statOf(state, sizeBytes), {
        lines,
        write: async (wanted) => ({
          bytes: await writeComposed(document, wanted),
          fault: await changeOf(by, disk, container, state, document),
        }),
        release: () => document.close(),
      })
    } finally {
      if (!isUsed) await document.close()
    }
  }

  const openAbout = async (disk: Disk, container: string, name: string) => {
    const made = await composed(disk, container, name)
    const target = recordPath({ container, format: by.id, name: `${aboutMark}${name}` })
    if (made === undefined)
      throw new DiskError('not-found', target, `${path.basename(container)} has no ${name}`)
    const { about, sizeBytes, state } = made
    const text = JSON.stringify({ about, stat: statOf(state, sizeBytes) } satisfies KnownRecord)
    return bytesFile(target, Buffer.from(text), state)
  }

  return {
    id: by.id,
    knows: (container, name) => told.has(container, name),
    learn: (container, name, known) => told.keep(container, name, known),
    async stat(disk, container, name) {
      const made = await composed(disk, container, name)
      return made === undefined ? undefined : statOf(made.state, made.sizeBytes)
    },
    open: (disk, container, name) =>
      name.startsWith(aboutMark)
        ? openAbout(disk, container, name.slice(aboutMark.length))
        : openLines(disk, container, name),
  }
}

/** Facts of a record file, without its lines. */
export interface KnownRecord {
  readonly about: About
  readonly stat: FileStat
}

const aboutMark = '~'
const largestAboutBytes = 64 * 1024 * 1024

/**
 * Reads what is known of a record file of a composed format.
 *
 * @param disk on which record files can be opened
 * @throws DiskError `not-found`
 */
export async function readAbout(
  disk: Disk,
  place: { readonly container: string; readonly format: string; readonly name: string },
): Promise<KnownRecord> {
  const target = recordPath({ ...place, name: `${aboutMark}${place.name}` })
  const bytes = await readWholeFile(disk, target, largestAboutBytes)
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as KnownRecord // written by `openAbout`
}

function statOf({ identity, mtimeMs }: RecordState, sizeBytes: number): FileStat {
  return { kind: 'file', sizeBytes, mtimeMs, identity }
}

/** Programs write such files anew, in place: then the stretches are others. */
async function changeOf(
  by: LineComposer,
  disk: Disk,
  container: string,
  state: RecordState,
  document: DiskFile,
): Promise<string | undefined> {
  const now = await by.stateOf(disk, container)
  if (now?.identity !== state.identity) return 'the conversation was changed while it was read'
  return document.fault
}
