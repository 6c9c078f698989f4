import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import { FirstFailure } from '../common/first-failure'
import {
  type FoundName,
  foundIn,
  isFolder,
  sortedNamesIn,
  sourceFileOf,
} from '../common/found-files'
import { refOfFile } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import { type FoundCursorChats, foundOrFault, joinedChats } from './found'

/** The name of the folders that hold transcripts, one in that of each project. */
export const transcriptsName = 'agent-transcripts'

const subagentsName = 'subagents'
const transcriptFile = /^[^.].*\.(?:jsonl|txt)$/i
const placeOfSubagent = /(?:^|\/)([^/]+)\/subagents\/[^/]+$/

/**
 * Finds the transcripts of all projects, those of subagents among them.
 *
 * @param folder of projects, relative to the root
 */
export async function findTranscripts(
  root: string,
  folder: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<FoundCursorChats> {
  let projects: readonly string[] = []
  const listed = await foundOrFault(async () => {
    projects = await sortedNamesIn(disk, path.join(root, folder))
    return []
  })
  const found = await mapConcurrent(projects, (project) => {
    signal.throwIfAborted()
    const place = path.posix.join(folder, project, transcriptsName)
    return transcriptsIn(root, place, disk, signal)
  })
  return joinedChats([listed, ...found])
}

/** Finds the transcripts of a project: files, and folders that have a file and a folder of subagents. */
export async function transcriptsIn(
  root: string,
  folder: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<FoundCursorChats> {
  const refs: SourceRef[] = []
  const failure = new FirstFailure()
  const names = (place: string) => failure.or(foundIn(disk, root, place, signal), [])
  const add = (place: string, found: readonly FoundName[]) => {
    for (const one of found)
      if (transcriptFile.test(one.name) && !isFolder(one))
        refs.push(transcriptRef(root, path.posix.join(place, one.name), one))
      else failure.passedBy(one)
  }
  const listed = await names(folder)
  add(folder, listed)
  for (const { name } of listed.filter(isFolder)) {
    const place = path.posix.join(folder, name)
    const own = await names(place)
    add(place, own)
    if (!own.some((one) => one.name === subagentsName && isFolder(one))) continue
    const below = path.posix.join(place, subagentsName)
    add(below, await names(below))
  }
  const { faults } = await foundOrFault(async () => {
    failure.throw()
    return []
  })
  return { refs, faults }
}

/** Makes the reference of a transcript, a file of lines or, in older versions, of text. @param file relative to the root */
export function transcriptRef(root: string, file: string, one: Omit<FoundName, 'name'>): SourceRef {
  const key = path.posix.basename(file).replace(/\.(?:jsonl|txt)$/i, '')
  const source = sourceFileOf(file, one)
  const ref = refOfFile(
    'cursor',
    root,
    key,
    /\.txt$/i.test(file) ? { ...source, isDocument: true } : source,
  )
  return { ...ref, isLinear: true }
}

/** Returns the chat whose subagent a transcript is of, by its place; undefined for any other. */
export function parentOfTranscript(file: string): string | undefined {
  return placeOfSubagent.exec(file)?.[1]
}
