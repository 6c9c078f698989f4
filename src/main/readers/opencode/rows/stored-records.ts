import { createHash } from 'node:crypto'
import path from 'node:path'
import { largestOf } from '../../../../shared/model/basics/long-lists'
import { type Disk, DiskError, type FileStat } from '../../../disk/interface/disk'
import { mapConcurrent } from '../../../disk/pacing/map-concurrent'
import { namesInFolder, readSmallFile } from '../../../disk/reading/read'
import { type RecordFormat, recordPath } from '../../../records/interface/record-format'
import { LineFile, type WrittenLines } from '../../../records/lines/line-file'
import type { SqlValue } from '../../../sqlite/engine'
import { versionOne } from './generations'
import {
  layOutLines,
  type RowValues,
  rowsOfLines,
  type SessionLine,
  writeLine,
} from './session-lines'
import { storedFolders } from './stored-files'

/** The id of the format that presents sessions of the oldest generation as files of lines. */
export const storedFormat = 'opencode-files'

const largestFileBytes = 256 * 1024 * 1024
const json = '.json'

/**
 * The format of sessions that lie in files, one for the session, each message and each part: lines as those of a
 * database's session. The container is the session's own file; a record file has its name.
 */
export const storedRecords: RecordFormat = {
  id: storedFormat,
  async stat(disk, container) {
    return (await laidOut(disk, container))?.stat
  },
  async open(disk, container, name) {
    const target = recordPath({ container, format: storedFormat, name })
    const found = await laidOut(disk, container)
    if (found === undefined) throw new DiskError('not-found', target, `${target} is not there`)
    const { stat, lines, files } = found
    const write = (wanted: readonly SessionLine[]) => writeLines(disk, files, wanted)
    return new LineFile(target, stat, { lines, write })
  },
}

/** A message's or part's file. */
interface StoredFile {
  readonly path: string
  readonly stat: FileStat
  /** Facts that its name and folder tell, as JSON. */
  readonly object: string
}

interface Stored {
  readonly stat: FileStat
  readonly lines: readonly SessionLine[]
  readonly files: readonly StoredFile[]
}

async function laidOut(disk: Disk, file: string): Promise<Stored | undefined> {
  const own = await disk.stat(file)
  const head = own === undefined ? undefined : await readSmallFile(disk, file, largestFileBytes)
  if (own === undefined || head === undefined) return undefined
  const folders = storedFolders(file)
  const messages = await filesIn(disk, folders.messages, (id) => ({ id }))
  const parts = await mapConcurrent(messages, (message) => {
    const id = path.basename(message.path, json)
    return filesIn(disk, folders.partsOf(id), (part) => ({ id: part, message_id: id }))
  })
  const files = [...messages, ...parts.flat()]
  const rows = files.map(({ path: place, stat, object }, at): readonly SqlValue[] => {
    const isPart = at >= messages.length
    const message = isPart ? path.basename(path.dirname(place)) : path.basename(place, json)
    return [at, JSON.stringify(message), Buffer.byteLength(object), stat.sizeBytes]
  })
  const text = Buffer.from(head)
    .toString('utf8')
    .replace(/[\r\n]/g, ' ')
  const layout = {
    generation: versionOne,
    head: text.trim() === '' ? 'null' : text,
    leaf: undefined,
  }
  const lines = layOutLines(layout, rows.slice(0, messages.length), rows.slice(messages.length))
  const stats = [own, ...files.map(({ stat }) => stat)]
  const stamp = createHash('sha256')
  for (const { identity, sizeBytes, mtimeMs } of stats)
    stamp.update(`${identity} ${sizeBytes} ${mtimeMs}\n`)
  return {
    lines,
    files,
    stat: {
      kind: 'file',
      sizeBytes: lines.reduce((sum, { bytes }) => sum + bytes, 0),
      mtimeMs: largestOf(stats.map(({ mtimeMs }) => mtimeMs)),
      identity: `${own.identity}:${stamp.digest('hex').slice(0, 16)}`,
    },
  }
}

/** Files in the order of their names, which are ids that rise with time. */
async function filesIn(
  disk: Disk,
  folder: string,
  objectOf: (id: string) => object,
): Promise<readonly StoredFile[]> {
  const names = (await namesInFolder(disk, folder)).filter((name) => name.endsWith(json)).sort()
  const found = await mapConcurrent(names, async (name) => {
    const place = path.join(folder, name)
    const stat = await disk.stat(place)
    if (stat?.kind !== 'file') return undefined
    return { path: place, stat, object: JSON.stringify(objectOf(path.basename(name, json))) }
  })
  return found.filter((one) => one !== undefined)
}

/** Ends before a line whose file is gone, or another than when the lines were laid out. */
async function writeLines(
  disk: Disk,
  files: readonly StoredFile[],
  lines: readonly SessionLine[],
): Promise<WrittenLines> {
  const { messages, parts } = rowsOfLines(lines)
  const values = new Map<number, RowValues>()
  await mapConcurrent([...messages, ...parts], async (at) => {
    const file = files[at]
    if (file === undefined) return
    const data = await readSmallFile(disk, file.path, largestFileBytes)
    if (data !== undefined) values.set(at, { object: Buffer.from(file.object), data })
  })
  const written: Buffer[] = []
  for (const line of lines) {
    const one = writeLine(versionOne, line, (_table, at) => values.get(at))
    if (one?.length !== line.bytes)
      return { bytes: Buffer.concat(written), fault: 'the session was changed while it was read' }
    written.push(one)
  }
  return { bytes: Buffer.concat(written), fault: undefined }
}
