import path from 'node:path'
import { AppError } from '../../shared/model/basics/errors'
import { isGeneratedName } from '../../shared/model/basics/title'
import type { Disk } from '../disk/interface/disk'
import { mapConcurrent } from '../disk/pacing/map-concurrent'
import { watchFolder } from '../disk/writing/watch'
import { readWindowStart } from './context-window/window-start'
import { openContexts } from './contexts/contexts'
import { countContexts, listContext, listContextNames, readLockState } from './contexts/listing'
import { openUpkeep } from './contexts/upkeep'
import { contextNotFoundError, toReadError } from './core/errors'
import { type ContextPaths, contextPaths, homePaths, isContextName } from './core/home-paths'
import { defaultRotationPolicy, type RotationPolicy } from './core/manifest'
import { type ContextFiles, findContextFiles } from './files/context-files'
import { withContextFiles } from './files/with-context-files'
import { FileMovedError } from './lines/file-facts'
import { holdsEntry, readLineAt } from './lines/raw-line'
import { defaultHeartbeatSeconds } from './lock/lock-files'
import { verifyContext } from './partitions/verify'
import { readFully } from './reading/full-read'
import { readRowPage } from './reading/row-page'
import { readSideFiles } from './reading/side-files'
import { readTranscriptEnds } from './reading/transcript-ends'
import { type KnownContext, readKnownContexts } from './registry/known-contexts'
import type { Store } from './store'
import { readNotes } from './texts/notes'
import { openWriter } from './writing/open-writer'

/** The home, disk, clock and configuration that a store works with. */
export interface StoreOptions {
  /** The folder; absolute. It need not exist. */
  readonly home: string
  readonly disk: Disk
  /** From config.toml and local.toml; chibi's defaults by default. Read at each opening for writing. */
  readonly storagePolicy?: (context: string) => Promise<RotationPolicy>
  /** `lock_heartbeat_seconds` of config.toml; 30 by default. Read at each check of a lock. */
  readonly heartbeatSeconds?: () => Promise<number>
  /** Unix milliseconds. */
  readonly now?: () => number
  /** See `LockOptions`. */
  readonly gateClock?: () => number
  /** Called with what a writer noticed and repaired, one sentence each: a stray partition, a damaged manifest. */
  readonly noticed?: (context: string, notice: string) => void
}

/** Opens a chibi home. Touches nothing: even the folder need not exist. */
export function openStore(options: StoreOptions): Store {
  const { disk, home } = options
  const now = options.now ?? Date.now
  const paths = homePaths(home)
  let state: { readonly stamp: string; readonly known: readonly KnownContext[] } | undefined

  const heartbeat = async () => (await options.heartbeatSeconds?.()) ?? defaultHeartbeatSeconds
  const lockOptions = async (name: string, heartbeatSeconds?: number) => ({
    disk,
    folder: path.join(paths.contexts, name),
    now,
    gateClock: options.gateClock,
    heartbeatSeconds: heartbeatSeconds ?? (await heartbeat()),
  })

  const reading = <T>(
    name: string,
    read: (found: ContextFiles, paths: ContextPaths) => Promise<T>,
  ): Promise<T> => withContextFiles({ disk, home, name }, read)

  const scopeOf = async (name: string) => {
    const noticed = (notice: string) => options.noticed?.(name, notice)
    return { disk, home, name, now, lock: await lockOptions(name), noticed }
  }
  const policyOf = options.storagePolicy ?? (async () => defaultRotationPolicy)

  const store: Store = {
    home,
    upkeep: openUpkeep({ home, scopeOf, policyOf, reading }),
    contexts: openContexts({
      home,
      scopeOf,
      openWriter: (name) => store.openWriter(name, { create: false, waitMs: 0 }),
    }),
    async exists() {
      return (await disk.stat(home))?.kind === 'directory'
    },
    async listContexts(signal) {
      try {
        const names = await listContextNames(disk, paths)
        const known = new Map((await readKnown()).map((context) => [context.name, context]))
        // Read once: it is in a file, and there may be ten thousand contexts.
        const seconds = await heartbeat()
        const listings = await mapConcurrent(names, async (name) => {
          signal?.throwIfAborted()
          return listContext(disk, home, name, known.get(name), await lockOptions(name, seconds))
        })
        return listings.filter((listing) => listing !== undefined)
      } catch (error) {
        throw toReadError(home, error)
      }
    },
    async countContexts() {
      try {
        return await countContexts(disk, paths)
      } catch (error) {
        throw toReadError(home, error)
      }
    },
    async findContext(name) {
      if (!isContextName(name)) return undefined
      const known = (await readKnown()).find((context) => context.name === name)
      return listContext(disk, home, name, known, await lockOptions(name))
    },
    async readEnds({ name, files, createdAt }) {
      const wants = { first: createdAt === undefined, words: isGeneratedName(name) }
      return readTranscriptEnds(disk, files, wants).catch((error: unknown) => {
        if (!(error instanceof FileMovedError)) throw toReadError(name, error)
        return reading(name, (found) => readTranscriptEnds(disk, found.files, wants))
      })
    },
    readPage: (name, from, limit, signal) =>
      reading(name, async ({ files, notFiles, windowNotice }) => {
        // An empty page would look like an empty conversation.
        const [fault] = files.length === 0 ? notFiles.values() : []
        if (fault !== undefined)
          throw new AppError('unreadable', `${name} cannot be read: ${fault}.`)
        const page = await readRowPage({ disk, name, files }, from, limit, signal)
        return windowNotice === undefined ? page : { ...page, notice: windowNotice }
      }),
    readWhole: (name, signal) =>
      reading(name, async (found, context) => readFully(disk, home, context, found, signal)),
    async listFiles(name) {
      const nothing = { files: [], missing: [] }
      if (!isContextName(name)) return nothing
      try {
        const check = 'where-it-ends-otherwise'
        return (await findContextFiles(disk, home, contextPaths(home, name), check)) ?? nothing
      } catch (error) {
        throw toReadError(name, error)
      }
    },
    readLine: (name, file, offset, length, entry) =>
      reading(name, async ({ files }) => {
        const named = files.find((one) => one.place === file)
        // A rotation gives the active partition's lines another file, the newest archived one, at the same offsets.
        const others =
          named?.kind === 'active' ? files.filter((one) => one !== named).reverse() : []
        for (const one of named === undefined ? [] : [named, ...others]) {
          const line = await readLineAt(disk, name, one, offset, length).catch((error: unknown) => {
            if (error instanceof AppError && error.code === 'not-found') return undefined
            throw error
          })
          if (line === undefined) continue
          // The records of a document have no place but their own.
          const isMeant = entry === undefined || one.kind === 'document'
          if (isMeant || (await holdsEntry(line.bytes, entry))) return line
        }
        throw new AppError('not-found', `${file} no longer has this line.`)
      }),
    readBeside: (name) =>
      reading(name, (found, context) => readSideFiles(disk, paths, context, found.files)),
    async readNotes(name) {
      if (!isContextName(name)) throw contextNotFoundError(name)
      try {
        // Needs nothing of the transcript: its partitions are not probed.
        const folder = await disk.stat(contextPaths(home, name).folder)
        if (folder?.kind !== 'directory') throw contextNotFoundError(name)
        return await readNotes(disk, home, name)
      } catch (error) {
        throw toReadError(name, error)
      }
    },
    windowStart: (name) =>
      reading(name, (found, context) => readWindowStart({ disk, paths: context }, found)),
    lockState: async (name) =>
      isContextName(name) ? readLockState(await lockOptions(name)) : { state: 'free' },
    async openWriter(name, open) {
      return openWriter({
        disk,
        home,
        name,
        now,
        lock: await lockOptions(name),
        configuredPolicy: () => policyOf(name),
        noticed: (notice) => options.noticed?.(name, notice),
        ...open,
      })
    },
    verify: (name, signal) =>
      reading(name, (found, context) => verifyContext(disk, home, context, found, signal)),
    watch(name, changed) {
      if (name === undefined) return watchFolder(disk, paths.contexts, changed)
      if (!isContextName(name)) return () => {}
      const context = contextPaths(home, name)
      const disposers = [context.folder, context.transcript].map((folder) =>
        watchFolder(disk, folder, changed),
      )
      return () => {
        for (const dispose of disposers) dispose()
      }
    },
  }
  return store

  /**
   * state.json is optional: a list of contexts does not depend on it. Every writer replaces it as a whole, so a file of the
   * same stat has the same content: with thousands of contexts each parsing takes time.
   */
  async function readKnown(): Promise<readonly KnownContext[]> {
    const stat = await disk.stat(paths.state).catch(() => undefined)
    if (stat === undefined) return []
    const stamp = `${stat.identity} ${stat.sizeBytes} ${stat.mtimeMs}`
    if (state?.stamp !== stamp)
      state = { stamp, known: await readKnownContexts(disk, paths).catch(() => []) }
    return state.known
  }
}
