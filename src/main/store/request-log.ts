import path from 'node:path'
import { wellFormedJson } from '../../shared/model/well-formed'
import { appendDurably } from '../disk/append'
import type { Disk } from '../disk/disk'
import { contextPaths } from './home'

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
  const line = `{"timestamp":${timestamp},"request":${recordOf(request, scrub)}}`
  await appendDurably(disk, requestLogOf(home, context), Buffer.from(line))
}

/** Where a context's requests are taken down. */
export function requestLogOf(home: string, context: string): string {
  return path.join(contextPaths(home, context).folder, 'requests.jsonl')
}

/** A value of a request as it is taken down, as JSON: without keys, and without the bytes of images. */
export function recordOf(value: unknown, scrub: (text: string) => string): string {
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
