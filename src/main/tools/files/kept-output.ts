import { createHash } from 'node:crypto'
import path from 'node:path'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import type { Disk } from '../../disk/interface/disk'
import { isNameTaken } from '../../disk/reading/read'
import { liesInFolder, realPathIfPresent } from '../../disk/reading/real-path'
import { createFile, replaceFile } from '../../disk/writing/atomic'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { contextPaths } from '../../store/paths'
import { ToolRefusal } from '../base/define-tool'
import { escapedLine, truncateEnd } from '../base/short-text'
import type { ResolvedPath } from './resolve-path'

/** The context whose outputs are kept. */
export interface KeptOutputFolder {
  readonly disk: Disk
  readonly home: string
  readonly context: string
}

/** An output that is in a file now. */
interface KeptOutput {
  /** chibi's: `<tool>_<seconds in hex>_<hash of the arguments>`. */
  readonly id: string
  readonly tool: string
  readonly text: string
}

/**
 * Keeps an output in the context's tool_cache, as chibi 0.5.1 to 0.8 does: `ID.cache` with the text, `ID.meta.json`
 * with its facts. Never replaces another one. Durable when it resolves.
 *
 * @throws DiskError
 */
export async function keepOutput(
  place: KeptOutputFolder,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  output: string,
  nowSeconds: number,
): Promise<KeptOutput> {
  const { disk } = place
  const folder = folderOf(place)
  await makeDurableFolder(disk, folder)
  const text = wellFormed(output)
  const hash = createHash('sha256').update(JSON.stringify(args)).digest('hex')
  const name = tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
  const plain = `${name}_${nowSeconds.toString(16)}_${hash.slice(0, 8)}`
  const id = await firstFree(plain, (one) =>
    createFile(disk, path.join(folder, `${one}.cache`), Buffer.from(text)),
  )
  const meta = {
    id,
    tool_name: tool,
    timestamp: nowSeconds,
    args_hash: hash.slice(0, 16),
    char_count: text.length,
    token_estimate: Math.floor(text.length / 4),
    line_count: linesIn(text),
  }
  const metaFile = path.join(folder, `${id}.meta.json`)
  await replaceFile(disk, metaFile, Buffer.from(JSON.stringify(meta, null, 2)))
  return { id, tool, text }
}

async function firstFree(plain: string, make: (id: string) => Promise<void>): Promise<string> {
  for (let count = 1; ; count++) {
    const id = count === 1 ? plain : `${plain}_${count}`
    try {
      await make(id)
      return id
    } catch (error) {
      if (!isNameTaken(error)) throw error
    }
  }
}

/**
 * Writes the text that the model gets in the place of a kept output: its size, its beginning or a summary, and how
 * to read it.
 */
export function keptOutputNotice(kept: KeptOutput, previewChars: number, summary?: string): string {
  const { id, tool, text } = kept
  const size = `Size: ${text.length} chars, ~${Math.floor(text.length / 4)} tokens | Lines: ${linesIn(text)}`
  return [
    `[Output cached: ${id}]`,
    `Tool: ${tool} | ${size}`,
    summary === undefined ? 'Preview:' : 'Summary:',
    '---',
    summary ?? preview(text, previewChars),
    '---',
    `Use file_head, file_tail, file_lines, file_grep with cache_id="${id}" to examine.`,
  ].join('\n')
}

/** Cuts a text after the last whole line that fits, where one does. */
function preview(text: string, chars: number): string {
  const begin = truncateEnd(text, chars)
  const end = begin.lastIndexOf('\n')
  return begin.length < text.length && end > 0 ? begin.slice(0, end) : begin
}

/**
 * Finds the output kept under an id.
 *
 * @throws ToolRefusal where nothing is, or a link leads elsewhere; DiskError
 */
export async function findKeptOutput(place: KeptOutputFolder, id: string): Promise<ResolvedPath> {
  const { disk } = place
  const none = () => new ToolRefusal(`there is no cached output "${escapedLine(id)}"`)
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(id)) throw none()
  const folder = await realPathIfPresent(disk, folderOf(place))
  const real =
    folder === undefined
      ? undefined
      : await realPathIfPresent(disk, path.join(folder, `${id}.cache`))
  if (folder === undefined || real === undefined || !liesInFolder(folder, real)) throw none()
  return { real, shown: `the cached output ${id}`, stat: await disk.stat(real) }
}

function folderOf({ home, context }: KeptOutputFolder): string {
  return path.join(contextPaths(home, context).folder, 'tool_cache')
}

function linesIn(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

/**
 * Returns what is wrong with an output that is no text; undefined where it is text. Binary data is noise to a model,
 * and APIs do not take NUL well.
 */
export function binaryFault(text: string): string | undefined {
  const bad = text.split('\ufffd').length - 1
  const isBinary = text.includes('\0') || (bad >= mostBadCharacters && bad * 20 > text.length)
  return isBinary ? `${countWithNoun(text.length, 'character')} that are not text` : undefined
}

/** Bytes that are no UTF-8 have become U+FFFD; texts may have a few of them as well. */
const mostBadCharacters = 8
