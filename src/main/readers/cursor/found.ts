import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { pushAll } from '../../../shared/model/basics/long-lists'
import type { Disk } from '../../disk/interface/disk'
import { recordPath } from '../../records/interface/record-format'
import { sortedNamesIn } from '../common/found-files'
import { glanceOf } from '../common/glance'
import { refOfFile } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import { cursorHead } from './lines/head'
import { tabFormat } from './lines/names'

/** Chats that were found, and why others could not be. */
export interface FoundCursorChats {
  readonly refs: readonly SourceRef[]
  readonly faults: readonly unknown[]
}

/** Joins what was found in several places. */
export function joinedChats(found: readonly FoundCursorChats[]): FoundCursorChats {
  return {
    refs: found.flatMap(({ refs }) => refs),
    faults: found.flatMap(({ faults }) => faults),
  }
}

/** Runs a search for chats; a place that cannot be listed is a fault, and hides no other. */
export async function foundOrFault(
  find: () => Promise<readonly SourceRef[]>,
): Promise<FoundCursorChats> {
  try {
    return { refs: await find(), faults: [] }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { refs: [], faults: [error] }
  }
}

/** Lists the names in a folder; one that cannot be listed is a fault, and has none. */
export async function namesOrFault(disk: Disk, folder: string) {
  const names: string[] = []
  const { faults } = await foundOrFault(async () => {
    pushAll(names, await sortedNamesIn(disk, folder))
    return []
  })
  return { names, faults }
}

/** A chat that a database holds, as its list tells. */
export interface FoundChat {
  readonly key: string
  /** The database, relative to the root, and the record file in it. */
  readonly database: string
  readonly format: string
  readonly name: string
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly identity: string
  readonly row: unknown
  /** The first of a person's own words. */
  readonly words?: string | undefined
}

/** Facts that another database tells of a chat. */
export interface FactsElsewhere {
  readonly title?: string | undefined
  readonly project?: string | undefined
}

/** Makes the reference of a chat in a database. @param told what other files tell of it, which counts where it tells nothing itself */
export function refOfChat(root: string, chat: FoundChat, told: FactsElsewhere = {}): SourceRef {
  const { key, database, format, name, sizeBytes: bytes, mtimeMs, identity, words } = chat
  const file = placeOfChat(root, { database, format, name })
  const ref = refOfFile('cursor', root, key, { file, bytes, mtimeMs, identity })
  const head = cursorHead(isJsonObject(chat.row) ? chat.row : {})
  const project = head.project ?? told.project ?? null
  const title = head.title ?? told.title ?? words
  return {
    ...ref,
    // Messages of a tab have no ids.
    ...(format === tabFormat ? { isLinear: true } : {}),
    ...(head.title === undefined && told.title !== undefined ? { storedTitle: told.title } : {}),
    ...(title === undefined
      ? {}
      : { glance: glanceOf(ref, { ...head, title, project }, head.updatedAt) }),
  }
}

/** Returns the place of a chat's record file, relative to the root. */
export function placeOfChat(
  root: string,
  { database, format, name }: Pick<FoundChat, 'database' | 'format' | 'name'>,
): string {
  const container = path.join(root, database)
  const place = path.relative(root, recordPath({ container, format, name }))
  return place.split(path.sep).join('/')
}
