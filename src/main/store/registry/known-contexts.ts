import path from 'node:path'
import { z } from 'zod'
import { parseShallow } from '../../../shared/model/basics/json-depth'
import { countWithNoun, plural } from '../../../shared/model/basics/plural'
import type { Disk } from '../../disk/interface/disk'
import { whenExclusive } from '../../disk/process/exclusive'
import { isNameTaken, readSmallFile, readSmallText } from '../../disk/reading/read'
import { moveToFreeName, replaceFile, temporaryName, writeNewFile } from '../../disk/writing/atomic'
import type { HomePaths } from '../core/home-paths'
import { replaceContextName } from './session'

/** A context as state.json lists it. The string form of chibi 0.5 has the name alone. */
export interface KnownContext {
  readonly name: string
  /** Unix seconds. */
  readonly createdAt: number | undefined
  /** Unix seconds: chibi deletes the context, with its folder, at its next start after that; undefined: never. */
  readonly expiresAt?: number | undefined
}

/** A context as it is written. An item of another shape is ignored, and written back as it is. */
const ContextObject = z.looseObject({ name: z.string() })
type ContextObject = z.infer<typeof ContextObject>

const State = z.looseObject({
  contexts: z.array(z.unknown()),
  current_context: z.unknown().optional(),
  previous_context: z.unknown().optional(),
})
type State = z.infer<typeof State>

/** How long another Skein may be in the middle of writing state.json. */
const waitMs = 3000
/** chibi removes contexts that are idle for too long, if it is set up so; a minute is near enough. */
const activityStepSeconds = 60

/** The contexts that state.json lists, with notices about what is damaged. */
export interface KnownState {
  readonly contexts: readonly KnownContext[]
  /** Faults in it, a sentence each. */
  readonly notices: readonly string[]
  /** Nothing of it can be read, and it is not empty. */
  readonly isDamaged: boolean
}

/** Reads the contexts that state.json knows, of all eras; none where it is missing or damaged. @throws DiskError */
export async function readKnownContexts(
  disk: Disk,
  paths: HomePaths,
): Promise<readonly KnownContext[]> {
  return (await readKnownState(disk, paths)).contexts
}

/**
 * Reads state.json, with notices about what in it is damaged.
 *
 * @throws DiskError
 */
export async function readKnownState(disk: Disk, paths: HomePaths): Promise<KnownState> {
  const text = await readSmallText(disk, paths.state)
  const state = parse(text)
  if (state === undefined) {
    const isDamaged = text !== undefined && text.trim() !== ''
    return { contexts: [], notices: isDamaged ? ['state.json is damaged.'] : [], isDamaged }
  }
  const contexts = state.contexts.flatMap((context) => {
    const known = knownOf(context)
    return known === undefined ? [] : [known]
  })
  const odd = state.contexts.length - contexts.length
  const many = countWithNoun(odd, 'entry', 'entries')
  const tells = plural(odd, 'has no context name and is', 'have no context name and are')
  return {
    contexts,
    notices: odd === 0 ? [] : [`${many} of state.json ${tells} kept as written.`],
    isDamaged: false,
  }
}

function knownOf(context: unknown): KnownContext | undefined {
  if (typeof context === 'string') return { name: context, createdAt: undefined }
  const object = ContextObject.safeParse(context).data
  if (object === undefined) return undefined
  const { name, created_at: createdAt } = object
  return {
    name,
    createdAt: typeof createdAt === 'number' ? createdAt : undefined,
    expiresAt: expiryOf(object),
  }
}

/** By either setting; 0 turns one off, and without a last activity nothing is idle. */
function expiryOf(context: ContextObject): number | undefined {
  const { destroy_at: at, destroy_after_seconds_inactive: idle, last_activity_at: last } = context
  const ends = [
    ...(isPositive(at) ? [at] : []),
    ...(isPositive(idle) && isPositive(last) ? [last + idle] : []),
  ]
  return ends.length === 0 ? undefined : Math.min(...ends)
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0
}

/**
 * Registers a context in state.json, or records that it is used now. Unknown keys and the era's form stay as they are.
 *
 * A damaged state.json is kept beside the new one as `state.json.damaged-N`, with a notice; one that cannot be read
 * stays.
 *
 * @throws DiskError
 */
export async function noteActivity(
  disk: Disk,
  paths: HomePaths,
  name: string,
  nowSeconds: number,
  noticed: OnNotice,
): Promise<void> {
  await withStateLock(disk, paths, async () => {
    const text = await readSmallText(disk, paths.state)
    const state = parse(text)
    if (text !== undefined && text.trim() !== '' && state === undefined)
      await keepDamagedFile(disk, paths.state, undefined, noticed)
    const next = withActivity(state ?? { contexts: [] }, name, nowSeconds)
    if (next !== undefined) await writeState(disk, paths, next)
  })
}

/**
 * Lists a context in state.json under a second name as well, with all its facts, before its folder gets that name.
 * chibi drops the one whose folder does not exist, so nothing is lost wherever a crash comes between.
 *
 * Without a state.json, or with a damaged one, it does nothing. Call it under `withStateLock`.
 *
 * @throws DiskError
 */
export async function listUnderBothNames(
  disk: Disk,
  paths: HomePaths,
  from: string,
  to: string,
): Promise<void> {
  const state = parse(await readSmallText(disk, paths.state))
  const known = state?.contexts.find((context) => nameOfKnown(context) === from)
  if (state === undefined || known === undefined) return
  const others = state.contexts.filter((context) => nameOfKnown(context) !== to)
  const added = typeof known === 'string' ? to : { ...ContextObject.parse(known), name: to }
  await writeState(disk, paths, { ...state, contexts: [...others, added].sort(byName) })
}

/**
 * Removes a context from state.json whose folder is gone, or has the name `to` now; the current and the previous
 * context of old eras follow. Call it under `withStateLock`.
 *
 * @throws DiskError
 */
export async function removeFromState(
  disk: Disk,
  paths: HomePaths,
  name: string,
  to?: string | undefined,
): Promise<void> {
  const state = parse(await readSmallText(disk, paths.state))
  if (state === undefined) return
  const contexts = state.contexts.filter((context) => nameOfKnown(context) !== name)
  const named = replaceContextName(state, 'current_context', name, to)
  if (contexts.length === state.contexts.length && named === state) return
  await writeState(disk, paths, { ...named, contexts })
}

/**
 * Does some work while no other Skein changes state.json, session.json or the flags. Waits up to 3 s for it.
 *
 * @throws Error
 */
export async function withStateLock<T>(
  disk: Disk,
  paths: HomePaths,
  work: () => Promise<T>,
): Promise<T> {
  const done = await whenExclusive(disk, paths.stateGate, waitMs, work)
  if (done === undefined) throw new Error('another Skein did not release state.json')
  return done.value
}

function writeState(disk: Disk, paths: HomePaths, state: State): Promise<void> {
  return replaceFile(disk, paths.state, Buffer.from(JSON.stringify(state, undefined, 2)))
}

/** A listener for notices, such as that a damaged file was kept; each is a sentence. */
export type OnNotice = (notice: string) => void

/**
 * Copies a damaged file, which is replaced next, to a name of its own, byte for byte, with a notice. Does nothing
 * where it is gone.
 *
 * @throws DiskError: then it must not be replaced
 */
export async function keepDamagedFile(
  disk: Disk,
  target: string,
  limitBytes: number | undefined,
  noticed: OnNotice,
): Promise<void> {
  const bytes = await readSmallFile(disk, target, limitBytes)
  if (bytes === undefined) return
  const kept = await keepDamagedBytes(disk, target, bytes)
  noticed(`${path.basename(target)} was damaged; it is kept as ${path.basename(kept)}.`)
}

/** Writes a damaged file's bytes to a name that is never used twice, and returns that. Durable on return: what was damaged goes next. */
export async function keepDamagedBytes(
  disk: Disk,
  target: string,
  bytes: string | Uint8Array,
): Promise<string> {
  const temporary = temporaryName(target)
  const permissions = { like: [target] }
  await writeNewFile(disk, temporary, Buffer.from(bytes), { durable: true, permissions })
  for (let n = 1; ; n++) {
    const kept = `${target}.damaged-${n}`
    try {
      await moveToFreeName(disk, temporary, kept)
      await disk.syncFolder(path.dirname(kept))
      return kept
    } catch (error) {
      if (!isNameTaken(error)) throw error
    }
  }
}

function parse(text: string | undefined): State | undefined {
  if (text === undefined) return undefined
  try {
    return State.safeParse(parseShallow(text)).data
  } catch {
    return undefined // Damaged: a write keeps it aside first.
  }
}

/** The state with the context in it; undefined when it is up to date. */
function withActivity(state: State, name: string, nowSeconds: number): State | undefined {
  const known = state.contexts.find((context) => nameOfKnown(context) === name)
  if (typeof known === 'string') return undefined
  const found = ContextObject.safeParse(known).data
  if (found !== undefined) {
    const { last_activity_at: last } = found
    if (
      nowSeconds - (typeof last === 'number' ? last : Number.NEGATIVE_INFINITY) <
      activityStepSeconds
    )
      return undefined
    const active = { ...found, last_activity_at: nowSeconds }
    return { ...state, contexts: state.contexts.map((one) => (one === known ? active : one)) }
  }
  const objects = state.contexts.flatMap((context) => ContextObject.safeParse(context).data ?? [])
  const isStringEra =
    objects.length === 0 && state.contexts.some((context) => typeof context === 'string')
  const added = {
    name,
    created_at: nowSeconds,
    last_activity_at: nowSeconds,
    destroy_after_seconds_inactive: 0,
    destroy_at: 0,
    ...(objects.some((context) => 'cwd' in context) ? { cwd: null } : {}),
  }
  const contexts = [...state.contexts, isStringEra ? name : added]
  return { ...state, contexts: contexts.sort(byName) }
}

/** chibi sorts by the bytes of the names, which are ASCII. What has no name comes last. */
function byName(a: unknown, b: unknown): number {
  const [left, right] = [nameOfKnown(a), nameOfKnown(b)]
  if (left === right) return 0
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1
  return left < right ? -1 : 1
}

function nameOfKnown(context: unknown): string | undefined {
  return knownOf(context)?.name
}
