import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import {
  type HomeText,
  HomeTextName,
  knownHomeTexts,
} from '../../../shared/model/settings/home-texts'
import {
  describePrompt,
  promptNameOf,
  type SavedPrompt,
} from '../../../shared/model/settings/saved-prompts'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { isNameTaken, namesInFolder, readSmallFile } from '../../disk/reading/read'
import { realPathIfPresent } from '../../disk/reading/real-path'
import { createFile, removeIfThere } from '../../disk/writing/atomic'
import { saveError } from '../base/save-errors'
import { rewriteText } from '../toml/rewrite-text'
import { parseToml } from '../toml/toml'

/** They are part of requests; a larger one is a mistake. */
const mostBytes = 1024 * 1024

/** A value in TOML that may be a secret, in a comment too. */
const keyLike = /(?:^|[\s{,.#])["']?[\w-]*(?:key|token|secret|password|authorization)["']?\s*=/im

/** The texts of a home that people write: prompts, the reflection, AGENTS.md and models.toml. */
export interface HomeTexts {
  /** Lists those that have a meaning, there or not, then the other files of `prompts`. @throws AppError `io` */
  list(): Promise<readonly HomeText[]>
  /**
   * Reads a text; null where there is none. @throws AppError `unreadable`, `read-only` (a link out of the home), `io`
   */
  read(name: HomeTextName): Promise<string | null>
  /**
   * Replaces a text as a whole, durably, or removes it with null. Its permissions and a byte order mark stay.
   *
   * @param before what the person began from: where another text is there by now, it is not replaced
   * @throws AppError `busy` (another text is there), `bad-argument` (too large, or no TOML), and what `read` throws
   */
  write(name: HomeTextName, text: string | null, before: string | null): Promise<void>
  /** Lists the saved prompts by name: the files of `prompts` that have no meaning of their own. @throws AppError `io` */
  prompts(): Promise<readonly SavedPrompt[]>
  /**
   * Gives a saved prompt a free name, durably; its bytes stay. After a crash both names may be there.
   *
   * @throws AppError `bad-argument` (no prompt's name, or taken), `not-found`, and what `read` throws
   */
  rename(from: HomeTextName, to: HomeTextName): Promise<void>
}

/** Returns the texts of a home. Reads nothing yet. */
export function openHomeTexts(disk: Disk, home: string): HomeTexts {
  async function read(name: HomeTextName): Promise<string | null> {
    try {
      const bytes = await readSmallFile(disk, await placeOf(disk, home, name), mostBytes)
      const text = bytes === undefined ? null : textIn(bytes, name)
      if (name === 'models.toml' && text !== null && keyLike.test(text))
        throw new AppError(
          'read-only',
          `${name} contains a key, which Skein does not show. Change it in a text editor.`,
        )
      return text
    } catch (error) {
      throw unread(name, error)
    }
  }

  async function otherPrompts(): Promise<readonly HomeTextName[]> {
    const found = await namesInFolder(disk, path.join(home, 'prompts')).catch((error: unknown) => {
      throw unread('prompts', error)
    })
    return found
      .map((name) => `prompts/${name}`)
      .filter((name) => HomeTextName.safeParse(name).success && !knownHomeTexts.includes(name))
      .sort()
  }

  async function describe(text: HomeTextName): Promise<readonly SavedPrompt[]> {
    const name = promptNameOf(text)
    if (name === undefined) return []
    try {
      return [describePrompt(name, await read(text))]
    } catch (error) {
      return [{ name, about: '', fields: [], fault: unread(text, error).message }]
    }
  }

  return {
    async list() {
      const names = [...knownHomeTexts, ...(await otherPrompts())]
      return Promise.all(names.map((name) => lookAt(disk, home, name)))
    },
    async prompts() {
      const all: SavedPrompt[] = []
      // One after the other: a home may have many, and each may be a megabyte.
      for (const name of await otherPrompts()) all.push(...(await describe(name)))
      return all
    },
    async rename(from, to) {
      const [old, name] = [promptNameOf(from), promptNameOf(to)]
      if (old === undefined || name === undefined)
        throw new AppError('bad-argument', 'Only saved prompts can be renamed.')
      if (old === name) return
      const file = await placeOf(disk, home, from)
      const target = await placeOf(disk, home, to)
      try {
        const bytes = await readSmallFile(disk, file, mostBytes)
        if (bytes === undefined) throw new AppError('not-found', `There is no prompt “${old}”.`)
        await createFile(disk, target, bytes, { like: [file] })
        await removeIfThere(disk, file)
        await disk.syncFolder(path.dirname(file))
      } catch (error) {
        if (isNameTaken(error)) throw new AppError('bad-argument', `There is a prompt “${name}”.`)
        throw saveError(`${from} was`, error)
      }
    },
    read,
    async write(name, text, before) {
      const now = await read(name)
      if (now === text) return
      if (now !== before) throw changed(name)
      const next = text === null ? null : wellFormed(text)
      if (next !== null) mustBeSound(name, next)
      const file = await placeOf(disk, home, name)
      try {
        if (next !== null)
          return await rewriteText(disk, file, (there) => {
            if (there !== (before ?? '')) throw changed(name)
            return next
          })
        await removeIfThere(disk, file)
        await disk.syncFolder(path.dirname(file))
      } catch (error) {
        throw saveError(`${name} was`, error)
      }
    },
  }
}

async function lookAt(disk: Disk, home: string, name: HomeTextName): Promise<HomeText> {
  try {
    const stat = await disk.stat(await placeOf(disk, home, name))
    if (stat === undefined) return { name, bytes: null }
    if (stat.kind !== 'file') return { name, bytes: null, fault: `${name} is not a file.` }
    return { name, bytes: stat.sizeBytes }
  } catch (error) {
    return { name, bytes: null, fault: unread(name, error).message }
  }
}

/** Finds where a text is; never outside of the home, wherever links lead. @throws AppError `read-only`; DiskError */
async function placeOf(disk: Disk, home: string, name: HomeTextName): Promise<string> {
  const file = path.join(home, name)
  const root = await realPathIfPresent(disk, home)
  if (root === undefined) return file
  const folder = await realPathIfPresent(disk, path.dirname(file))
  const real = (await realPathIfPresent(disk, file)) ?? (await linkToNothing(disk, file))
  for (const place of [folder, real])
    if (place !== undefined && place !== root && !place.startsWith(root + path.sep))
      throw new AppError(
        'read-only',
        `${name} is a link to outside the home. Change the file there.`,
      )
  return file
}

/** Finds a link that is listed and leads nowhere: a write would make a file where it leads. */
async function linkToNothing(disk: Disk, file: string): Promise<string | undefined> {
  const isListed = (await namesInFolder(disk, path.dirname(file))).includes(path.basename(file))
  return isListed && (await disk.stat(file)) === undefined ? '' : undefined
}

function textIn(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AppError('unreadable', `${name} is not UTF-8 text and cannot be changed here.`)
  }
}

/** @throws AppError `bad-argument` */
function mustBeSound(name: HomeTextName, text: string): void {
  if (Buffer.byteLength(text) > mostBytes)
    throw new AppError('bad-argument', `${name} would be larger than a megabyte.`)
  if (name !== 'models.toml') return
  if (keyLike.test(text))
    throw new AppError(
      'bad-argument',
      'Keys do not belong here. Enter them in Settings, Model, which stores them in the system’s keychain.',
    )
  const { broken } = parseToml(text, name)
  if (broken !== undefined) throw new AppError('bad-argument', broken.message)
}

function changed(name: HomeTextName): AppError {
  return new AppError(
    'busy',
    `${name} changed in the meantime. Review the new text before you save yours.`,
  )
}

function unread(name: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof DiskError && error.code === 'too-large')
    return new AppError('unreadable', `${name} is larger than a megabyte.`, { cause: error })
  const words = error instanceof Error ? error.message : String(error)
  return new AppError('io', `${name} could not be read: ${words}`, { cause: error })
}
