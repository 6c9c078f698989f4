import path from 'node:path'
import { z } from 'zod'
import type { Disk } from '../../disk/interface/disk'
import { readJson } from '../../disk/json/read-json'
import type { SourceRef } from '../common/reader'
import type { Head } from './head'

/** Larger than any of these files. */
const largestBytes = 1024 * 1024

const Meta = z.object({
  description: z.string().trim().min(1).optional().catch(undefined),
  agentType: z.string().trim().min(1).optional().catch(undefined),
  toolUseId: z.string().min(1).optional().catch(undefined),
})

/** Facts of a subagent besides its own records. */
interface Subagent {
  /** The session that called it. */
  readonly session: string
  /** The id of the call. */
  readonly call: string | undefined
  readonly title: string | undefined
}

/** Reads what lies beside a subagent's file; undefined for a session. What cannot be read there is as if it were not there. */
export async function readSubagent(
  { root, key }: SourceRef,
  file: string,
  head: Pick<Head, 'session'>,
  disk: Disk,
): Promise<Subagent | undefined> {
  const stem = path.posix.basename(file).replace(/\.jsonl$/i, '')
  if (!/^agent-/i.test(stem)) return undefined
  const session = key.includes('/') ? key.slice(0, key.indexOf('/')) : head.session
  if (session === undefined) return undefined
  const beside = path.join(root, path.dirname(file), `${stem}.meta.json`)
  const found = await readJson(disk, beside, largestBytes).catch(() => undefined)
  const value = found === undefined || found === 'damaged' ? {} : found.value
  const { description, agentType, toolUseId } = Meta.safeParse(value).data ?? {}
  return { session, call: toolUseId, title: description ?? agentType }
}
