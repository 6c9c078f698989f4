import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import { textIn } from '../../common/drafts'
import { depthFault } from '../../common/record-values'
import type { SchemaReader } from '../../common/rows/table-schema'
import { textLine, type ValueLine, valueLine } from '../../common/rows/value-lines'
import { pathOfUri } from '../lines/file-uri'
import { parseRoot } from './root'
import { blobQuery, blobsQuery, metaQuery } from './store-sql'
import { type StoreMessage, StoreTree } from './ways'

/** A chat of the command line as a file of lines: its own record first, then its messages, the present way first. */
export interface StoreLayout {
  readonly lines: readonly ValueLine[]
  readonly sizeBytes: number
  /** Another text whenever any of it may be another. */
  readonly stamp: string
  readonly meta: JsonObject
  /** Nothing was said in it. */
  readonly isEmpty: boolean
  /** Why it may lack what was said last, as the end of a sentence; undefined where it lacks nothing. */
  readonly fault: string | undefined
}

/** Members of the store's own record that its line shows. Others are a key to data on Cursor's servers, and settings. */
const metaMembers = ['agentId', 'name', 'mode', 'createdAt', 'lastUsedModel', 'latestRootBlobId']

/** Bytes of roots that are read at once. */
const mostRootBytes = 4 * 1024 * 1024

/**
 * Lays out the chat in a `store.db`.
 *
 * @param beside what the file beside the database tells @throws SqliteError
 */
export async function layOutStore(
  reader: SchemaReader,
  path: string,
  beside: JsonObject | undefined,
): Promise<StoreLayout> {
  const { answers, fault } = await reader.read(path, (schema) => [
    metaQuery(schema),
    blobsQuery(schema),
  ])
  const meta = metaIn(answers[0]?.rows[0]?.[0])
  const blobs = new Map<string, Blob>()
  const candidates: string[] = []
  for (const [, id, bytes, mayBeRoot] of answers[1]?.rows ?? []) {
    blobs.set(String(id), { bytes: Number(bytes ?? 0) })
    if (mayBeRoot === 1) candidates.push(String(id))
  }
  const tree = new StoreTree()
  const latest = textIn(meta.latestRootBlobId)
  let isLatestLost = latest !== undefined && !blobs.has(latest)
  // Later ones first: where a store does not tell which one counts, the last is the nearest.
  const others = candidates.filter((id) => id !== latest).reverse()
  /** Lists of something else, such as the parts of a file, look alike. */
  const isMessage = async (digest = ''): Promise<boolean> => {
    if ((blobs.get(digest)?.bytes ?? 0) === 0) return false
    const found = await reader.read(path, (schema) => [blobQuery(schema, [digest])])
    return hasRole(found.answers[0]?.rows[0]?.[1])
  }
  let leaf: string | undefined
  let folder: string | undefined
  for (const ids of chunksOf(latest === undefined ? others : [latest, ...others], blobs)) {
    const found = await reader.read(path, (schema) => [blobQuery(schema, ids)])
    const roots = new Map(found.answers[0]?.rows.map(([id, data]) => [String(id), data]))
    for (const id of ids) {
      const data = roots.get(id)
      const root = data instanceof Uint8Array ? parseRoot(data) : undefined
      if (id === latest && root === undefined) isLatestLost = true
      const { digests = [] } = root ?? {}
      if (root === undefined || digests.length === 0) continue
      const isChat = id === latest || tree.begins(digests) || (await isMessage(digests[0]))
      if (!isChat) continue
      const last = tree.add(digests)
      if (leaf === undefined) folder = root.folder
      leaf ??= last
    }
  }
  const row = {
    ...meta,
    ...(folder === undefined ? {} : { project: pathOfUri(folder) }),
    ...(beside === undefined ? {} : { beside }),
  }
  const isForked = tree.messages.at(-1)?.id !== leaf
  const lines = [
    textLine(JSON.stringify({ record: 'store', row })),
    ...(isLatestLost ? [missingRoot] : []),
    ...tree.messages.map((message) => messageLine(message, tree, blobs)),
    ...(isForked && leaf !== undefined ? [textLine(JSON.stringify({ record: 'leaf', leaf }))] : []),
  ]
  return {
    lines,
    sizeBytes: lines.reduce((sum, { bytes }) => sum + bytes, 0),
    // A blob's id is the digest of its bytes.
    stamp: createHash('sha256')
      .update(JSON.stringify([row, leaf, tree.messages, lines.map(({ bytes }) => bytes), fault]))
      .digest('hex')
      .slice(0, 16),
    meta: row,
    fault,
    // A chat in which nothing was said has no blobs yet, or an empty list.
    isEmpty: tree.messages.length === 0 && !(isLatestLost && blobs.size > 0),
  }
}

interface Blob {
  readonly bytes: number
}

/** The newest list of messages is gone, or no list: what there is may end earlier. */
const missingRoot = textLine('{"record":"root","data":null}')

function messageLine(
  { digest, id, parent }: StoreMessage,
  tree: StoreTree,
  blobs: ReadonlyMap<string, Blob>,
): ValueLine {
  const isThere = (one: StoreMessage) => blobs.has(one.digest)
  const head = JSON.stringify({ record: 'message', id, previous: tree.before(parent, isThere) })
  const blob = blobs.get(digest)
  if (blob === undefined) return textLine(`${head.slice(0, -1)},"data":null}`)
  return valueLine(`${head.slice(0, -1)},"data":`, { name: digest, bytes: blob.bytes }, '}')
}

function hasRole(data: unknown): boolean {
  if (!(data instanceof Uint8Array)) return false
  try {
    const message: unknown = JSON.parse(Buffer.from(data).toString('utf8'))
    return isJsonObject(message) && typeof message.role === 'string'
  } catch {
    return false
  }
}

function metaIn(value: unknown): JsonObject {
  if (typeof value !== 'string') return {}
  const text = /^(?:[0-9a-f]{2})+$/i.test(value)
    ? Buffer.from(value, 'hex').toString('utf8')
    : value
  try {
    const meta: unknown = JSON.parse(text)
    if (!isJsonObject(meta) || depthFault(meta) !== undefined) return {}
    return Object.fromEntries(
      metaMembers.flatMap((name) => (meta[name] == null ? [] : [[name, meta[name]]])),
    )
  } catch {
    return {}
  }
}

function* chunksOf(
  ids: readonly string[],
  blobs: ReadonlyMap<string, Blob>,
): Generator<readonly string[]> {
  let chunk: string[] = []
  let sum = 0
  for (const id of ids) {
    const { bytes = 0 } = blobs.get(id) ?? {}
    if (chunk.length > 0 && sum + bytes > mostRootBytes) {
      yield chunk
      chunk = []
      sum = 0
    }
    chunk.push(id)
    sum += bytes
  }
  if (chunk.length > 0) yield chunk
}
