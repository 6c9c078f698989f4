import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { readAgentMeta } from '../common/content/agent-meta'
import type { SourceRef } from '../common/reader'
import type { Head } from './head'

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
  const { title, call } = await readAgentMeta(disk, beside)
  return { session, call, title }
}
