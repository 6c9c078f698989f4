import type { Disk, FileStat } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { inListedFile } from '../common/found-files'
import { valuesOn } from '../common/record-values'
import { recordFacts } from './line-facts'

/** Sessions of subagents' files, by path and identity; a session never changes. */
const known = new WeakMap<Disk, Map<string, string>>()
/** Bytes of a beginning in which it is looked for. */
const headBytes = 256 * 1024

/** Reads which session a subagent's file belongs to, from its first records, once; undefined where they do not tell. */
export async function sessionOfFile(
  disk: Disk,
  file: string,
  stat: FileStat | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const name = `${stat?.identity ?? ''} ${file}`
  const sessions = known.get(disk) ?? new Map<string, string>()
  known.set(disk, sessions)
  const before = sessions.get(name)
  if (before !== undefined) return before
  // One that cannot be read is listed all the same: reading it reports why.
  const found = await readSession(disk, file, signal).catch(() => undefined)
  signal.throwIfAborted()
  if (found !== undefined) sessions.set(name, found)
  return found
}

async function readSession(disk: Disk, file: string, signal: AbortSignal) {
  return inListedFile(disk, file, async (opened) => {
    for await (const lines of readLines(opened, { to: headBytes, chunkBytes: 16 * 1024, signal }))
      for (const line of lines)
        for (const { session } of await valuesOn(line, recordFacts))
          if (session !== undefined) return session
    return undefined
  })
}
