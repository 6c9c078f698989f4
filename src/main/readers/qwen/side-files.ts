import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { readAgentMeta } from '../common/content/agent-meta'
import { callerFacts } from '../common/drafts'
import { pathOf } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import type { LineFacts } from '../common/sessions/line-ends'
import type { SessionSideFacts } from '../common/sessions/line-sessions'

/**
 * Reads which session a subagent belongs to, and by which call, from the file beside its own; of a session that another one
 * began, which.
 */
export async function qwenSideFacts(
  ref: SourceRef,
  found: LineFacts,
  disk: Disk,
): Promise<SessionSideFacts> {
  const file = pathOf(ref)
  const stem = path.basename(file).replace(/\.jsonl(?:\.gz|\.zst)?$/i, '')
  const session = path.basename(path.dirname(file))
  const isAgent =
    /^agent-/i.test(stem) && path.basename(path.dirname(path.dirname(file))) === 'subagents'
  if (!isAgent)
    return found.parent === undefined || found.parent === ref.key
      ? {}
      : { parent: { key: found.parent, entries: 0 } }
  const { title, call, parentAgent } = await readAgentMeta(
    disk,
    path.join(path.dirname(file), `${stem}.meta.json`),
  )
  const caller = parentAgent === undefined ? session : `${session}/agent-${parentAgent}`
  return {
    ...(title === undefined ? {} : { storedTitle: title }),
    ...(found.prompt === undefined ? {} : { title: found.prompt }),
    ...callerFacts(caller, call),
  }
}
