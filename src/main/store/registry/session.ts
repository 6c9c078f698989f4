import { z } from 'zod'
import { parseShallow } from '../../../shared/model/basics/json-depth'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'
import type { HomePaths } from '../core/home-paths'

const Session = z.looseObject({
  implied_context: z.string().nullish(),
  previous_context: z.string().nullish(),
})
/** Up to chibi 0.5.1, state.json had it. */
const OldState = z.looseObject({
  current_context: z.string().nullish(),
  previous_context: z.string().nullish(),
})

/** The context that chibi uses where none is named, and the one it used before. */
export interface ChibiSession {
  readonly current: string | undefined
  readonly previous: string | undefined
}

/**
 * Reads session.json, else state.json of old versions; both undefined where neither has them or the file is damaged.
 *
 * @throws DiskError
 */
export async function readChibiSession(disk: Disk, paths: HomePaths): Promise<ChibiSession> {
  const text = await readSmallText(disk, paths.session)
  if (text !== undefined) {
    const { implied_context, previous_context } = Session.safeParse(parsed(text)).data ?? {}
    return { current: implied_context ?? undefined, previous: previous_context ?? undefined }
  }
  const state = OldState.safeParse(parsed((await readSmallText(disk, paths.state)) ?? '')).data
  return {
    current: state?.current_context ?? undefined,
    previous: state?.previous_context ?? undefined,
  }
}

/** chibi's own, where it names none. */
const defaultContext = 'default'

/**
 * Replaces a context's name in session.json by its new one; without a new one, the previous context takes its place.
 * Other keys stay; a file that is missing, damaged, or does not name it is not touched.
 *
 * @throws DiskError
 */
export async function renameInSession(
  disk: Disk,
  paths: HomePaths,
  from: string,
  to: string | undefined,
): Promise<void> {
  const text = await readSmallText(disk, paths.session)
  const session = Session.safeParse(text === undefined ? undefined : parsed(text)).data
  if (text === undefined || session === undefined) return
  const next = replaceContextName(session, 'implied_context', from, to)
  if (next === session) return
  // As it was written: chibi's is indented.
  const indent = text.includes('\n') ? 2 : undefined
  await replaceFile(disk, paths.session, Buffer.from(JSON.stringify(next, undefined, indent)))
}

/**
 * Replaces a context's name in a record of the current context (under its era's key) and the previous one; returns the
 * same record where it names neither.
 */
export function replaceContextName<
  Key extends string,
  Record extends { readonly previous_context?: unknown } & { readonly [K in Key]?: unknown },
>(record: Record, currentKey: Key, from: string, to: string | undefined): Record {
  const { previous_context: previous } = record
  const isCurrent = record[currentKey] === from
  if (!isCurrent && previous !== from) return record
  const before = previous === from ? (to ?? null) : previous
  if (!isCurrent) return { ...record, previous_context: before }
  if (to !== undefined) return { ...record, [currentKey]: to, previous_context: before }
  const taken = typeof before === 'string' ? before : defaultContext
  return { ...record, [currentKey]: taken, previous_context: null }
}

function parsed(text: string): unknown {
  try {
    return parseShallow(text)
  } catch {
    return undefined // Damaged: chibi begins anew with it, and it is not ours to mend.
  }
}
