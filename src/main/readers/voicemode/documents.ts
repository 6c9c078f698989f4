import path from 'node:path'
import { largestOf, smallestOf } from '../../../shared/model/basics/long-lists'
import type { UnreadPart } from '../../../shared/model/conversation/reading'
import { type Disk, DiskError, type FileStat } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { perFileCache } from '../common/per-file-cache'
import type { NamelessEntry } from '../common/value-meaning'
import { speakerOfType, speechMetadata } from './line'
import { documentKeys } from './line-key'

/** The pattern of names of voicemode's text files: heard, spoken, or both, and when, in some local time. */
export const documentName = /^(stt|tts|conversation)_(\d{8})_(\d{6})_(\d{3})\.txt$/i

/** The form in which voicemode writes a question and its answer into one file; answers are short, so the last divider counts. */
const bothSides = /^Assistant: ([\s\S]*)\r?\n\r?\nUser: ([\s\S]*)$/

/** Parses a text file: an utterance, or one of each side. `stamp` is not set: only the file's name has it. */
export function documentEntries(text: string): readonly NamelessEntry[] {
  const { fields, transcript } = partsOf(text)
  const { type = 'conversation', stt_model: heardBy, ...others } = fields
  const [, asked, answered] = (type === 'conversation' && bothSides.exec(transcript)) || []
  if (asked === undefined || answered === undefined) return [entryOf(fields, transcript)]
  const { model: _model, voice: _voice, ...shared } = others
  const heard = heardBy === undefined ? shared : { ...shared, model: heardBy }
  return [entryOf({ ...others, type: 'tts' }, asked), entryOf({ ...heard, type: 'stt' }, answered)]
}

function entryOf(fields: Readonly<Record<string, string>>, transcript: string): NamelessEntry {
  const { type, version = 1, project_path: project, audio_file: file, ...others } = fields
  const speaker = speakerOfType(type)
  return {
    timestamp: null,
    ...speaker,
    content: transcript,
    metadata: {
      ...(speaker.entry_type === 'unknown' ? { raw_type: type ?? '' } : {}),
      ...speechMetadata(type, version, others),
      ...(project ? { project } : {}),
      ...(file ? { audio: { file } } : {}),
    },
  }
}

/**
 * Parses a text file like `documentEntries`, with the time in the file's name: the local time of the machine that
 * wrote it, of unknown offset.
 */
export function namedDocumentEntries(text: string, file: string): readonly NamelessEntry[] {
  const stamp = stampOf(file)
  return documentEntries(text).map((entry) => {
    const known = asRecord(entry.metadata?.speech)
    const speech = { ...known, ...(stamp === undefined ? {} : { stamp }) }
    return { ...entry, metadata: { ...entry.metadata, speech } }
  })
}

function asRecord(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

/** When a text file was written by its name, in a local time: `20250628_103055_001`. */
function stampOf(file: string): string | undefined {
  const [, , date, time, ms] = documentName.exec(path.posix.basename(file)) ?? []
  return date === undefined ? undefined : `${date}_${time}_${ms}`
}

/** Returns the fields in the head of a text file; none where it has no head. */
export function documentFields(text: string): Readonly<Record<string, string>> {
  return partsOf(text).fields
}

const begin = /^\ufeff?--- METADATA ---[ \t]*\r?\n/
const middle = /^--- TRANSCRIPT ---[ \t]*(?:\r?\n|$)/m

/** A text without such a head is all transcript. */
function partsOf(text: string): {
  readonly fields: Readonly<Record<string, string>>
  readonly transcript: string
} {
  const opening = begin.exec(text)
  const rest = opening === null ? '' : text.slice(opening[0].length)
  const divider = middle.exec(rest)
  if (divider === null) return { fields: {}, transcript: text }
  const lines = rest.slice(0, divider.index).split(/\r?\n/)
  const fields = lines.flatMap((line) => {
    const [, key, value] = /^([^:]+):[ \t]*(.*)$/.exec(line) ?? []
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })
  const transcript = rest.slice(divider.index + divider[0].length).replace(/^(?:\r?\n)+/, '')
  return { fields: Object.fromEntries(fields), transcript }
}

/** A file under a root with its stat. */
export interface FoundFile {
  /** Relative to the root, with slashes. */
  readonly file: string
  readonly stat: FileStat
}

/** A conversation in text files: of one project, with no more than five minutes between two. */
export interface DocumentGroup {
  readonly key: string
  /** In order of their stamps. */
  readonly files: readonly FoundFile[]
  /** Parts that may belong to it by their time, and could not be read for their project. */
  readonly unread: readonly UnreadPart[]
}

const longestGapMs = 5 * 60 * 1000

/**
 * Groups text files to conversations, and reads their beginnings once. A file that cannot be read counts as one
 * without a project, and is in `unread` of every group of its time.
 */
export async function groupDocuments(
  root: string,
  files: readonly FoundFile[],
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly DocumentGroup[]> {
  const groups: { key: string; files: FoundFile[]; unread: UnreadPart[] }[] = []
  const failures: { readonly found: FoundFile; readonly part: UnreadPart }[] = []
  const current = new Map<string, { readonly files: FoundFile[]; endMs: number }>()
  for (const found of [...files].sort(byStamp)) {
    signal.throwIfAborted()
    const project = await projectIn(disk, path.join(root, found.file), found.stat).catch(
      (error: unknown) => {
        if (!(error instanceof DiskError)) throw error
        failures.push({ found, part: unreadPart(found.file, error) })
        return ''
      },
    )
    const ms = stampMs(found.file)
    const open = current.get(project)
    if (open !== undefined && ms - open.endMs <= longestGapMs) {
      open.files.push(found)
      open.endMs = ms
      continue
    }
    const own = [found]
    const key = `${documentKeys}${path.posix.basename(found.file, '.txt')}`
    groups.push({ key, files: own, unread: [] })
    current.set(project, { files: own, endMs: ms })
  }
  for (const { found, part } of failures)
    for (const { files: own, unread } of groups)
      if (!own.includes(found) && isNear(stampMs(found.file), own)) unread.push(part)
  return groups
}

/** Returns the missing part for a file that could not be read when it was listed. */
export function unreadPart(file: string, error: DiskError): UnreadPart {
  const sentence = `${file} cannot be read: ${error.message}.`
  return { file, fromByte: 0, cause: 'failed', sentence }
}

function isNear(ms: number, files: readonly FoundFile[]): boolean {
  const times = files.map(({ file }) => stampMs(file))
  return ms >= smallestOf(times) - longestGapMs && ms <= largestOf(times) + longestGapMs
}

/** Compares text files by the time in their names. */
export function byStamp(a: FoundFile, b: FoundFile): number {
  return stampMs(a.file) - stampMs(b.file) || (a.file < b.file ? -1 : 1)
}

/** Only differences of it are of use; 0 for a file of another name. */
function stampMs(file: string): number {
  const digits = stampOf(file)?.replaceAll('_', '')
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/.exec(digits ?? '') ?? []
  const [year = 1970, month = 1, ...rest] = parts.map(Number)
  return Date.UTC(year, month - 1, ...rest)
}

const projects = perFileCache<{ readonly stat: FileStat; readonly project: string }>()

async function projectIn(disk: Disk, file: string, stat: FileStat): Promise<string> {
  const found = await projects.get(disk, file, stat, async () => {
    const text = await readSmallText(disk, file)
    return { stat, project: partsOf(text ?? '').fields.project_path ?? '' }
  })
  return found.project
}
