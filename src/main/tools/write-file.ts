import path from 'node:path'
import { z } from 'zod'
import { wellFormed } from '../../shared/model/well-formed'
import { renameFile, temporaryName, withTemporary, writeNewFile } from '../disk/atomic'
import type { Disk, FileStat } from '../disk/disk'
import { readExactly } from '../disk/lines'
import { defineTool, Refusal } from './define'
import { unifiedDiff } from './diff'
import { type Grounds, realIfThere } from './grounds'
import { checkFile, findPlace, openPlace, type Place } from './places'
import type { Tool, ToolPreview } from './tool'
import { counted } from './wording'

/** More than any model writes in a call; what is larger is not compared either. */
const mostBytes = 4 * 1024 * 1024

/** write_file: replaces a file as a whole, or makes a new one, with the folders above it. */
export function writeTool(grounds: Grounds): Tool {
  /** What stood at a place when somebody was shown what would change there. */
  const shown = new Map<string, FileStat | undefined>()
  return defineTool({
    name: 'write_file',
    description: 'Writes a text file as a whole: a new one, or in place of what it held.',
    effect: 'writes',
    args: z.strictObject({
      path: z.string().describe('Path of the file, absolute or below the first allowed folder'),
      content: z.string().describe('The whole new content'),
    }),
    async preview({ path: asked, content }) {
      const place = await findPlace(grounds, asked)
      checkFile(place)
      shown.set(place.real, place.stat)
      return previewOf(grounds.disk, place, textOf(content))
    },
    async run({ path: asked, content }, signal) {
      const place = await findPlace(grounds, asked)
      checkFile(place)
      const text = textOf(content)
      signal.throwIfAborted()
      // What a person allowed is what they saw: what was written there since is not replaced unseen.
      if (shown.has(place.real) && !isSame(shown.get(place.real), place.stat))
        throw new Refusal(
          `${place.shown} has changed since its change was shown; read it again before writing`,
        )
      shown.delete(place.real)
      await writePlace(grounds.disk, place, Buffer.from(text))
      const did = place.stat === undefined ? 'Made' : 'Replaced'
      return `${did} ${place.shown}: ${counted(Buffer.byteLength(text), 'byte')}, ${lineCount(text)}.`
    },
  })
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
