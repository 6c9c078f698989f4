import path from 'node:path'
import { z } from 'zod'
import type { ContextSideFiles } from '../../../shared/model/conversation/conversation'
import type { Disk } from '../../disk/interface/disk'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { readSmallFile } from '../../disk/reading/read'
import type { ContextPaths } from '../core/home-paths'

/** As many as anybody reads in a pane. */
const mostShown = 100

/** A message that waits in a context's inbox. */
export const InboxMessage = z.object({
  id: z.string(),
  timestamp: z.number(),
  from: z.string(),
  to: z.string(),
  content: z.string(),
})
export type InboxMessage = z.infer<typeof InboxMessage>

/**
 * Reads the messages in `inbox.jsonl` that wait for the context's next prompt, and counts the damaged lines.
 *
 * Changes nothing: chibi empties the file when it takes the messages, and drops lines that it cannot read with them.
 *
 * @throws DiskError
 */
export async function readInbox(
  disk: Disk,
  paths: ContextPaths,
): Promise<Pick<ContextSideFiles, 'inbox' | 'inboxCount' | 'inboxDamaged'>> {
  const bytes = await readSmallFile(disk, path.join(paths.folder, 'inbox.jsonl'))
  const inbox: ContextSideFiles['inbox'] = []
  let inboxCount = 0
  let inboxDamaged = 0
  for (const line of splitInboxLines(bytes ?? new Uint8Array(0))) {
    const raw = { bytes: line, offset: 0, length: line.length, ended: true }
    const decoded = await decodeJsonLineInSlices(raw, messageIn)
    if (decoded.type === 'damaged') inboxDamaged += 1
    const found = decoded.type === 'value' ? [decoded.value] : []
    for (const message of decoded.type === 'damaged' ? decoded.recovered : found) {
      inboxCount += 1
      if (inbox.length < mostShown) inbox.push(message)
    }
  }
  return { inbox, inboxCount, inboxDamaged }
}

function messageIn(value: unknown): ContextSideFiles['inbox'][number] | string {
  const line = InboxMessage.safeParse(value)
  if (!line.success) return 'not a message'
  const { id, from, content, timestamp } = line.data
  return { id, from, text: content, at: timestamp }
}

/** Splits bytes into lines, without their line feeds. */
export function* splitInboxLines(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf(0x0a, from)
    const to = feed < 0 ? bytes.length : feed
    yield bytes.subarray(from, to)
    from = to + 1
  }
}
