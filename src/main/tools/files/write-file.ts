import { createHash } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import { unifiedDiff } from '../../../shared/model/calls/unified-diff'
import { type Disk, DiskError, type FileStat, type PinnedFolder } from '../../disk/interface/disk'
import { isExecutable } from '../../disk/process/executable'
import { readExactly } from '../../disk/reading/lines'
import { isNameTaken } from '../../disk/reading/read'
import { realPathIfPresent } from '../../disk/reading/real-path'
import {
  moveToFreeName,
  renameFile,
  temporaryName,
  withTemporary,
  writeNewFile,
} from '../../disk/writing/atomic'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { defineTool, ToolRefusal } from '../base/define-tool'
import type { Tool, ToolPreview, ToolReach } from '../base/tool'
import { type AllowedPaths, readPathRules } from './allowed-paths'
import {
  assertRegularFile,
  hasHardLinks,
  openResolvedPath,
  type ResolvedPath,
  resolveToolPath,
} from './resolve-path'
import { writeRisk } from './write-risk'

/** Largest content of a call, more than any model writes; a larger file is not compared either. */
const mostBytes = 4 * 1024 * 1024

/** Returns write_file, which replaces a whole file, or makes a new one with the folders above it. */
export function writeTool(allowed: AllowedPaths): Tool {
  /** The paths as a preview showed them, by path and content; undefined where the preview failed. */
  const shown = new Map<string, ResolvedPath | undefined>()
  return defineTool({
    name: 'write_file',
    description: 'Writes a text file as a whole: a new one, or in place of what it held.',
    effect: 'writes',
    args: z.strictObject({
      path: z.string().describe('Path of the file, absolute or below the first allowed folder'),
      content: z.string().describe('The whole new content'),
    }),
    async preview({ path: asked, content }) {
      const key = keyOf(asked, content)
      shown.set(key, undefined)
      const place = await resolveToolPath(allowed, asked, 'write')
      assertRegularFile(place)
      const text = textOf(content)
      const preview = await previewOf(allowed.disk, place, text)
      const reach = await reachOf(allowed, place, text)
      shown.set(key, place)
      return { ...preview, reach }
    },
    async run({ path: asked, content }, signal) {
      const place = await resolveToolPath(allowed, asked, 'write')
      assertRegularFile(place)
      const text = textOf(content)
      signal.throwIfAborted()
      // Consent is for the file that was shown: a link that leads elsewhere since is not followed, and
      // a later version of the file is not replaced unseen.
      const key = keyOf(asked, content)
      const seen = shown.get(key)
      if (shown.has(key) && (seen?.real !== place.real || !isSame(seen.stat, place.stat)))
        throw changed(place)
      shown.delete(key)
      await writePlace(allowed.disk, place, Buffer.from(text))
      const did = place.stat === undefined ? 'Made' : 'Replaced'
      const others =
        place.stat !== undefined && hasHardLinks(place.stat)
          ? ' Its other names (hard links) keep the old content.'
          : ''
      return `${did} ${place.shown}: ${countWithNoun(Buffer.byteLength(text), 'byte')}, ${lineCount(text)}.${others}`
    },
  })
}

function keyOf(asked: string, content: string): string {
  return JSON.stringify([asked, hashOf(content)])
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Returns the file that would be written, and its risk. @throws DiskError */
async function reachOf(
  allowed: AllowedPaths,
  place: ResolvedPath,
  text: string,
): Promise<ToolReach> {
  const { real, stat } = place
  const file = {
    real,
    beginning: text.slice(0, 2),
    isProgram: stat !== undefined && (await isExecutable(real)),
  }
  const ownFolder = (await realPathIfPresent(allowed.disk, os.homedir())) ?? os.homedir()
  return {
    type: 'file',
    file: real,
    folder: (await readPathRules(allowed)).folderOf(real) ?? path.dirname(real),
    hash: hashOf(text),
    risk: writeRisk(file, { ownFolder, platform: process.platform }),
  }
}

function isSame(before: FileStat | undefined, now: FileStat | undefined): boolean {
  return (
    before?.identity === now?.identity &&
    before?.sizeBytes === now?.sizeBytes &&
    before?.mtimeMs === now?.mtimeMs
  )
}

async function previewOf(disk: Disk, place: ResolvedPath, text: string): Promise<ToolPreview> {
  const { shown, stat } = place
  if (stat === undefined)
    return {
      title: `Make ${shown} with ${lineCount(text)}`,
      diff: unifiedDiff(undefined, text, shown),
    }
  const others = hasHardLinks(stat) ? ', whose other names (hard links) keep the old content' : ''
  const title = `Write ${lineCount(text)} to ${shown}${others}`
  const held = countWithNoun(stat.sizeBytes, 'byte')
  const bytes = await heldBytes(disk, place)
  if (bytes === undefined) return { title: `${title}, replacing ${held}` }
  const before = textIn(bytes)
  if (before === undefined) return { title: `${title}, replacing ${held} that are not text` }
  if (before === text) return { title: `${title}, which already has this content` }
  return { title, diff: unifiedDiff(before, text, shown) }
}

/** Reads a file; undefined for more than is compared. @throws ToolRefusal, DiskError */
async function heldBytes(disk: Disk, place: ResolvedPath): Promise<Uint8Array | undefined> {
  const file = await openResolvedPath(disk, place, true)
  try {
    const { sizeBytes } = await file.stat()
    return sizeBytes > mostBytes ? undefined : await readExactly(file, 0, sizeBytes)
  } finally {
    await file.close()
  }
}

function changed({ shown }: ResolvedPath): ToolRefusal {
  return new ToolRefusal(
    `${shown} changed after this change was shown; read it again before writing`,
  )
}

/**
 * Writes a file: a new one takes no name that is taken, and an old one is replaced as a whole: its other names, by
 * hard links, keep the old content.
 *
 * @throws ToolRefusal where the folder or the file was replaced meanwhile; DiskError: then the old file stays
 */
async function writePlace(disk: Disk, place: ResolvedPath, bytes: Uint8Array): Promise<void> {
  const { real, shown, stat } = place
  const folder = path.dirname(real)
  if ((await disk.stat(folder)) === undefined) await makeDurableFolder(disk, folder, 'umask')
  const isSameFolder = async () => (await realPathIfPresent(disk, folder)) === folder
  const moved = () =>
    new ToolRefusal(`the folder of ${shown} was replaced while it was written; try again`)
  if (!(await isSameFolder())) throw moved()
  // Where it can be: whatever is put in the folder's place from now on, this one is written in.
  let pinned: PinnedFolder | undefined
  try {
    pinned = await disk.pin?.(folder)
  } catch (error) {
    throw (await isSameFolder()) ? error : moved()
  }
  try {
    const target = path.join(pinned?.path ?? folder, path.basename(real))
    const temporary = temporaryName(target)
    await withTemporary(disk, temporary, async () => {
      const permissions = stat === undefined ? 'umask' : { like: [target] }
      await writeNewFile(disk, temporary, bytes, { durable: true, permissions })
      // Checked again right before: between this check and the rename only the disk is waited for.
      if (!(await isSameFolder())) throw moved()
      if (!isSame(stat, await disk.stat(target))) throw changed(place)
      if (stat === undefined) await moveToFreeName(disk, temporary, target)
      else await renameFile(disk, temporary, target)
    })
  } catch (error) {
    if (stat === undefined && isNameTaken(error)) throw changed(place)
    throw pinned === undefined ? error : withPath(error, pinned.path, folder)
  } finally {
    await pinned?.close()
  }
  await disk.syncFolder(folder)
}

/** Names the folder as people know it in a failure from a pinned one. */
function withPath(error: unknown, pinned: string, folder: string): unknown {
  if (!(error instanceof DiskError)) return error
  const { code, message, path: at } = error
  const plain = (text: string) => text.replaceAll(pinned, folder)
  return new DiskError(code, plain(at), plain(message), error)
}

/** @throws ToolRefusal for more than is written in one call */
function textOf(content: string): string {
  const text = wellFormed(content)
  if (Buffer.byteLength(text) > mostBytes)
    throw new ToolRefusal(`the content is larger than ${countWithNoun(mostBytes, 'byte')}`)
  return text
}

/** Decodes UTF-8, with its byte order mark; undefined where the bytes are no text. */
function textIn(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function lineCount(text: string): string {
  const feeds = text.split('\n').length - 1
  return countWithNoun(text === '' || text.endsWith('\n') ? feeds : feeds + 1, 'line')
}
