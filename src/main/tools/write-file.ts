import { createHash } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { wellFormed } from '../../shared/model/well-formed'
import { renameFile, temporaryName, withTemporary, writeNewFile } from '../disk/atomic'
import type { Disk, FileStat } from '../disk/disk'
import { isExecutable } from '../disk/executable'
import { readExactly } from '../disk/lines'
import { defineTool, Refusal } from './define'
import { unifiedDiff } from './diff'
import { type Grounds, realIfThere, survey } from './grounds'
import { checkFile, findPlace, openPlace, type Place } from './places'
import { riskOf } from './risk'
import type { Tool, ToolPreview, ToolReach } from './tool'
import { counted } from './wording'

/** More than any model writes in a call; what is larger is not compared either. */
const mostBytes = 4 * 1024 * 1024

/** write_file: replaces a file as a whole, or makes a new one, with the folders above it. */
export function writeTool(grounds: Grounds): Tool {
  /** What somebody was shown, by what was asked: the place as it was then; undefined where it could not be shown. */
  const shown = new Map<string, Place | undefined>()
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
      const place = await findPlace(grounds, asked)
      checkFile(place)
      const text = textOf(content)
      const preview = await previewOf(grounds.disk, place, text)
      const reach = await reachOf(grounds, place, text)
      shown.set(key, place)
      return { ...preview, reach }
    },
    async run({ path: asked, content }, signal) {
      const place = await findPlace(grounds, asked)
      checkFile(place)
      const text = textOf(content)
      signal.throwIfAborted()
      // What a person allowed is what they saw, where they saw it: a link that leads elsewhere since is not followed, and
      // what was written there since is not replaced unseen.
      const key = keyOf(asked, content)
      const seen = shown.get(key)
      if (shown.has(key) && (seen?.real !== place.real || !isSame(seen.stat, place.stat)))
        throw new Refusal(
          `${place.shown} has changed since its change was shown; read it again before writing`,
        )
      shown.delete(key)
      await writePlace(grounds.disk, place, Buffer.from(text))
      const did = place.stat === undefined ? 'Made' : 'Replaced'
      return `${did} ${place.shown}: ${counted(Buffer.byteLength(text), 'byte')}, ${lineCount(text)}.`
    },
  })
}

function keyOf(asked: string, content: string): string {
  return JSON.stringify([asked, hashOf(content)])
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** What would be touched, and what may come of that. @throws DiskError */
async function reachOf(grounds: Grounds, place: Place, text: string): Promise<ToolReach> {
  const { real, stat } = place
  const file = {
    real,
    beginning: text.slice(0, 2),
    isProgram: stat !== undefined && (await isExecutable(real)),
  }
  const ownFolder = (await realIfThere(grounds.disk, os.homedir())) ?? os.homedir()
  return {
    type: 'file',
    file: real,
    folder: (await survey(grounds)).folderOf(real) ?? path.dirname(real),
    hash: hashOf(text),
    risk: riskOf(file, { ownFolder, platform: process.platform }),
  }
}

function isSame(before: FileStat | undefined, now: FileStat | undefined): boolean {
  return (
    before?.identity === now?.identity &&
    before?.sizeBytes === now?.sizeBytes &&
    before?.mtimeMs === now?.mtimeMs
  )
}

async function previewOf(disk: Disk, place: Place, text: string): Promise<ToolPreview> {
  const { shown, stat } = place
  if (stat === undefined)
    return {
      title: `Make ${shown} with ${lineCount(text)}`,
      diff: unifiedDiff(undefined, text, shown),
    }
  const title = `Write ${lineCount(text)} to ${shown}`
  const held = counted(stat.sizeBytes, 'byte')
  const bytes = await heldBytes(disk, place)
  if (bytes === undefined) return { title: `${title}, in place of ${held}` }
  const before = textIn(bytes)
  if (before === undefined) return { title: `${title}, in place of ${held} that are no text` }
  if (before === text) return { title: `${title}, which holds the same already` }
  return { title, diff: unifiedDiff(before, text, shown) }
}

/** What a place holds; undefined for more than is compared. @throws Refusal, DiskError */
async function heldBytes(disk: Disk, place: Place): Promise<Uint8Array | undefined> {
  const file = await openPlace(disk, place)
  try {
    const { sizeBytes } = await file.stat()
    return sizeBytes > mostBytes ? undefined : await readExactly(file, 0, sizeBytes)
  } finally {
    await file.close()
  }
}

/** @throws Refusal where the folder was replaced on the way; DiskError: then the old file stands */
async function writePlace(
  disk: Disk,
  { real, shown, stat }: Place,
  bytes: Uint8Array,
): Promise<void> {
  const folder = path.dirname(real)
  if ((await disk.stat(folder)) === undefined) await disk.makeFolder(folder, 'umask')
  const mustBeSame = async () => {
    if ((await realIfThere(disk, folder)) !== folder)
      throw new Refusal(`the folder of ${shown} was replaced while it was written; try again`)
  }
  await mustBeSame()
  const temporary = temporaryName(real)
  await withTemporary(disk, temporary, async () => {
    const permissions = stat === undefined ? 'umask' : { like: [real] }
    await writeNewFile(disk, temporary, bytes, { durable: true, permissions })
    // Looked at again right before: between this look and the rename nothing is waited for but the disk.
    await mustBeSame()
    await renameFile(disk, temporary, real)
  })
  await disk.syncFolder(folder)
}

/** @throws Refusal for more than is written in one call */
function textOf(content: string): string {
  const text = wellFormed(content)
  if (Buffer.byteLength(text) > mostBytes)
    throw new Refusal(`the content is larger than ${counted(mostBytes, 'byte')}`)
  return text
}

/** Undefined where bytes are no UTF-8 text; a byte order mark stays in it. */
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
  return counted(text === '' || text.endsWith('\n') ? feeds : feeds + 1, 'line')
}
