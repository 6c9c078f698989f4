import type { JsonObject } from '../../../shared/model/basics/json-object'
import { isRecord } from './entry-kind'
import type { Exportable } from './exporter'

/** Bytes of a history in which cycod says what it says of it: the first lines. */
const mostBytes = 1024 * 1024

/**
 * Reads what a cycod history says of itself before its first message: the fields of `_meta`, or of `metadata`, which older
 * documents have. Undefined for other systems, and where the bytes are not at hand or cannot be read.
 */
export async function sourceMeta({
  source,
  originals,
  told,
}: Pick<Exportable, 'source' | 'originals' | 'told'>): Promise<JsonObject | undefined> {
  if (told !== undefined) return told.meta()
  if (source !== 'cycod' || originals === undefined) return undefined
  let found: JsonObject | undefined
  for (const line of linesOf(await readBeginning(originals))) {
    const value = parsed(line)
    if (!isRecord(value)) continue
    if ('role' in value) break
    // cycod itself reads `_meta` alone: it counts above the other.
    if (isRecord(value._meta)) found = { ...found, ...value._meta }
    else if (isRecord(value.metadata)) found = { ...value.metadata, ...found }
  }
  return found
}

/** Lists the keys of a history's own metadata, its title excepted. */
export function furtherMeta(meta: JsonObject | undefined): readonly string[] {
  // Unlocked is what every title is.
  return Object.entries(meta ?? {}).flatMap(([name, value]) =>
    name === 'title' || (name === 'titleLocked' && value === false) ? [] : [name],
  )
}

async function readBeginning(originals: NonNullable<Exportable['originals']>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of originals()) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= mostBytes) break
    }
  } catch {
    // Whoever writes the export says what cannot be read.
  }
  return Buffer.concat(pieces).subarray(0, mostBytes)
}

function linesOf(bytes: Buffer): readonly string[] {
  return bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split('\n')
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    // Blank, damaged, or cut at the limit.
    return undefined
  }
}
