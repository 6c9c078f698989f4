import path from 'node:path'
import { z } from 'zod'
import { deepestLine, isDeeperThan } from '../../../shared/model/basics/json-depth'
import { wellFormedJson } from '../../../shared/model/basics/well-formed'
import type { Disk } from '../../disk/interface/disk'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { type FileLine, readLinesBackward } from '../../disk/reading/lines'
import { isNotFound } from '../../disk/reading/read'
import { appendDurably } from '../../disk/writing/append'
import { contextPaths } from '../core/home-paths'

/**
 * Appends one request to a context's requests.jsonl in chibi's shape, `{timestamp, request}`.
 *
 * @param timestamp in Unix seconds
 * @param scrub takes the key out of a text: words of the conversation may hold it
 * @throws DiskError
 */
export async function logRequest(
  disk: Disk,
  home: string,
  context: string,
  timestamp: number,
  request: object,
  scrub: (text: string) => string,
): Promise<void> {
  const line = `{"timestamp":${timestamp},"request":${redactRequest(request, scrub)}}`
  await appendDurably(disk, requestLogOf(home, context), Buffer.from(line))
}

/** The path of a context's log of requests. */
function requestLogOf(home: string, context: string): string {
  return path.join(contextPaths(home, context).folder, 'requests.jsonl')
}

/** Returns a value of a request as JSON for the log: without keys, and without the bytes of images. */
export function redactRequest(value: unknown, scrub: (text: string) => string): string {
  return scrub(wellFormedJson(shortened(value)))
}

const dataUrl = /^(data:[^,]{0,200},)/

/** Without the bytes of images, which would come again with each request of a conversation. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    const head = dataUrl.exec(value)?.[1]
    return head === undefined ? value : `${head}(${value.length - head.length} characters)`
  }
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shortened(field)]))
}

/** A request in the log. */
export interface LoggedRequest {
  /** Unix seconds. */
  readonly timestamp: number
  /** Without the bytes of images; anything, since other programs write here too. */
  readonly request: Readonly<Record<string, unknown>>
}

/** A span of time in Unix seconds, inclusive. */
export interface LogSpan {
  readonly from: number
  readonly to: number
}

const Line = z.object({ timestamp: z.number(), request: z.record(z.string(), z.unknown()) })

/** No request is that long; a longer line is passed over, and never held. */
const longestLineBytes = 64 * 1024 * 1024
/** Clocks are set back, and other programs write what they like: only so much in a row that is older ends the reading. */
const olderBytes = 64 * 1024 * 1024
/** A timestamp is at one end of its line: Skein writes it first, chibi last. */
const endBytes = 48

/**
 * Reads the requests of a span of time from a context's requests.jsonl, newest first: from its end, a chunk at a time,
 * and no further back than 64 MB of only older records. A line that is damaged or nested too deeply is skipped, except
 * for complete records on it. Nothing where there is no such file.
 *
 * @throws DiskError
 */
export async function* readLoggedRequests(
  disk: Disk,
  home: string,
  context: string,
  span: LogSpan,
  signal?: AbortSignal,
): AsyncGenerator<LoggedRequest, void> {
  const target = requestLogOf(home, context)
  if ((await disk.stat(target))?.kind !== 'file') return
  const file = await disk.open(target, 'read').catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  if (file === undefined) return
  try {
    const { sizeBytes } = await file.stat()
    const options = { longestBytes: longestLineBytes, ...(signal ? { signal } : {}) }
    let older = 0
    for await (const lines of readLinesBackward(file, sizeBytes, options))
      for (const line of lines) {
        const time = timestampAtAnEnd(line)
        if (time !== undefined && time > span.to) {
          older = 0
          continue
        }
        const decoded = await decodeJsonLineInSlices(line, accepted)
        if (decoded.type === 'blank') continue
        if (decoded.type === 'value') {
          const isOlder = decoded.value.timestamp < span.from
          // Asked before it is added: no single line ends it.
          if (isOlder && older > olderBytes) return
          older = isOlder ? older + line.length : 0
        }
        const records = decoded.type === 'value' ? [decoded.value] : decoded.recovered
        for (const record of [...records].reverse())
          if (record.timestamp >= span.from && record.timestamp <= span.to) yield record
      }
  } finally {
    await file.close()
  }
}

function accepted(value: unknown): LoggedRequest | string {
  const parsed = Line.safeParse(value)
  if (!parsed.success) return 'no request with its time'
  // Callers go through all of its levels.
  return isDeeperThan(parsed.data.request, deepestLine) ? 'nested too deeply' : parsed.data
}

/** The time of a line without parsing the whole of it, where it is at one of the usual places. */
function timestampAtAnEnd({ bytes }: FileLine): number | undefined {
  const text = (part: Uint8Array) => Buffer.from(part).toString('latin1')
  const found =
    /^\{"timestamp":(\d+(?:\.\d+)?),/.exec(text(bytes.subarray(0, endBytes))) ??
    /,"timestamp":(\d+(?:\.\d+)?)\}\s*$/.exec(text(bytes.subarray(-endBytes)))
  return found === null ? undefined : Number(found[1])
}
