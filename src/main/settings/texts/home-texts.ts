import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import {
  type HomeText,
  HomeTextName,
  knownHomeTexts,
} from '../../../shared/model/settings/home-texts'
import {
  deletedPromptFile,
  deletedPromptOf,
  describePrompt,
  isSamePromptName,
  promptNameFault,
  promptNameOf,
  type SavedPrompt,
} from '../../../shared/model/settings/saved-prompts'
import { type Disk, DiskError, type FileStat } from '../../disk/interface/disk'
import { isNameTaken, namesInFolder, readSmallFile } from '../../disk/reading/read'
import { realPathIfPresent } from '../../disk/reading/real-path'
import { isSameFile, moveToFreeName, removeIfSame, renameFile } from '../../disk/writing/atomic'
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
   * Replaces a text as a whole, durably, or removes it with null. Its permissions and a byte order mark stay. A saved prompt that is
   * removed is kept beside its place under the name of a deleted one, which `rename` gives its name again.
   *
   * @param before what the person began from: where another text is there by now, it is not replaced
   * @throws AppError `busy` (another text is there), `bad-argument` (too large, no TOML, or a new prompt whose name differs from another's in case alone), and what `read` throws
   */
  write(name: HomeTextName, text: string | null, before: string | null): Promise<void>
  /**
   * Lists the saved prompts by name: the Markdown files of `prompts` that have no meaning of their own and are not deleted. One that
   * cannot be typed says why. Reads those that changed since the last call. @throws AppError `io`
   */
  prompts(): Promise<readonly SavedPrompt[]>
  /**
   * Gives a saved or deleted prompt a free name, durably; it stays the same file, and a link a link. After a crash both names may be
   * there.
   *
   * @throws AppError `bad-argument` (no prompt's name, or taken), `not-found`, and what `read` throws
   */
  rename(from: HomeTextName, to: HomeTextName): Promise<void>
}

/** Returns the texts of a home. Reads nothing yet. */
export function openHomeTexts(disk: Disk, home: string): HomeTexts {
  async function read(name: HomeTextName): Promise<string | null> {
    try {
      const text = await textAt(await placeOf(disk, home, name), name)
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

  /** Texts read before, by file name: taken again while a file is unchanged. */
  let known: ReadonlyMap<string, Described> = new Map()

  /** Describes one file of `prompts`; undefined for what is no saved prompt. */
  async function describe(file: string): Promise<Described | undefined> {
    const listed = file.replace(/\.md$/, '')
    const { data } = HomeTextName.safeParse(`prompts/${file}`)
    if (data !== undefined && (knownHomeTexts.includes(data) || deletedPromptOf(data))) return
    const name = data === undefined ? undefined : promptNameOf(data)
    try {
      if (data === undefined || name === undefined)
        return {
          prompt: faulty(
            listed,
            promptNameFault(listed) ?? 'The name of its file does not end in “.md”.',
          ),
        }
      const stat = await disk.stat(await placeOf(disk, home, data))
      const before = known.get(file)
      const isSame = isSameFile(stat, before?.stat) && stat?.sizeBytes === before?.stat?.sizeBytes
      if (before !== undefined && isSame && stat?.mtimeMs === before.stat?.mtimeMs) return before
      return { prompt: describePrompt(name, await read(data)), stat }
    } catch (error) {
      return { prompt: faulty(listed, unread(`prompts/${file}`, error).message) }
    }
  }

  /** Throws where another prompt than `itself` has a name, whatever its case. @throws AppError `bad-argument` */
  async function mustBeFree(name: string, itself: string | undefined): Promise<void> {
    const names = await namesInFolder(disk, path.join(home, 'prompts'))
    const taken = names
      .flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []))
      .find((other) => other !== itself && isSamePromptName(other, name))
    if (taken !== undefined) throw new AppError('bad-argument', `There is a prompt “${taken}”.`)
  }

  /** Keeps a saved prompt that is deleted: the same file under a free name. */
  async function setAside(name: string, file: string): Promise<void> {
    for (let n = 1; ; n++) {
      const kept = deletedPromptFile(name, n)
      if (kept === undefined)
        throw new AppError('io', `Too many deleted prompts “${name}” are kept.`)
      try {
        return await moveToFreeName(disk, file, path.join(home, kept))
      } catch (error) {
        if (!isNameTaken(error)) throw error
      }
    }
  }

  async function textAt(file: string, name: HomeTextName): Promise<string | null> {
    const bytes = await readSmallFile(disk, file, mostBytes)
    return bytes === undefined ? null : textIn(bytes, name)
  }

  return {
    async list() {
      const names = [...knownHomeTexts, ...(await otherPrompts())]
      return Promise.all(names.map((name) => lookAt(disk, home, name)))
    },
    async prompts() {
      const now = new Map<string, Described>()
      const found = await namesInFolder(disk, path.join(home, 'prompts')).catch(
        (error: unknown) => {
          throw unread('prompts', error)
        },
      )
      // One after the other: a home may have many, and each may be a megabyte.
      for (const file of [...found].sort()) {
        const described = /^[^.].*\.md$/is.test(file) ? await describe(file) : undefined
        if (described !== undefined) now.set(file, described)
      }
      known = now
      return [...now.values()].map(({ prompt }) => prompt)
    },
    async rename(from, to) {
      const [old, name] = [promptNameOf(from) ?? deletedPromptOf(from), promptNameOf(to)]
      if (old === undefined || name === undefined)
        throw new AppError('bad-argument', 'Only saved prompts can be renamed.')
      if (from === to) return
      const file = await placeOf(disk, home, from)
      const target = await placeOf(disk, home, to)
      try {
        const moved = await disk.stat(file)
        if (moved === undefined) throw new AppError('not-found', `There is no prompt “${old}”.`)
        await mustBeFree(name, promptNameOf(from))
        // On a disk that ignores case the free name leads to the same file already.
        if (isSameFile(moved, await disk.stat(target))) await renameFile(disk, file, target)
        else await moveToFreeName(disk, file, target)
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
        const prompt = promptNameOf(name)
        if (now === null && prompt !== undefined) await mustBeFree(prompt, prompt)
        if (next !== null)
          return await rewriteText(disk, file, (there) => {
            if (there !== (before ?? '')) throw changed(name)
            return next
          })
        // What another writes after the look above is never lost: it moves along, or stays.
        if (prompt !== undefined) await setAside(prompt, file)
        else if (!(await removeIfSame(disk, file, async (at) => (await textAt(at, name)) === now)))
          throw changed(name)
        await disk.syncFolder(path.dirname(file))
      } catch (error) {
        throw saveError(`${name} was`, error)
      }
    },
  }
}

/** Saved prompt with its file as it was then; a faulty one has none, and is looked at again. */
interface Described {
  readonly prompt: SavedPrompt
  readonly stat?: FileStat | undefined
}

function faulty(name: string, fault: string): SavedPrompt {
  return { name, about: '', fields: [], fault }
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
