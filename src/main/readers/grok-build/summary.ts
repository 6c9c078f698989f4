import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Disk } from '../../disk/interface/disk'
import { timeIn, trimmedIn } from '../common/drafts'
import { sideJson } from '../common/sessions/side-json'

/** Facts of a session that its summary tells. */
export interface GrokSummary {
  readonly title?: string | undefined
  readonly cwd?: string | undefined
  /** Unix seconds. */
  readonly createdAt?: number | undefined
  readonly model?: string | undefined
  /** The session that this one was begun from. */
  readonly parent?: string | undefined
  readonly isSubagent: boolean
}

const summaries = sideJson((value): GrokSummary => {
  const summary = isJsonObject(value) ? value : {}
  const info = isJsonObject(summary.info) ? summary.info : {}
  const kind = trimmedIn(summary.session_kind) ?? ''
  return {
    title:
      trimmedIn(summary.generated_title) ??
      trimmedIn(summary.title) ??
      trimmedIn(summary.session_summary),
    cwd: trimmedIn(info.cwd) ?? trimmedIn(summary.cwd),
    createdAt: timeIn(summary.created_at),
    model: trimmedIn(summary.current_model_id),
    parent: trimmedIn(summary.parent_session_id),
    isSubagent: kind.startsWith('subagent'),
  }
})

/** Reads a session's summary; undefined where there is none that can be read. */
export function readGrokSummary(disk: Disk, file: string): Promise<GrokSummary | undefined> {
  return summaries(disk, file)
}
