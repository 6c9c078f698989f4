import { z } from 'zod'
import type { Disk } from '../../../disk/interface/disk'
import { readJson } from '../../../disk/json/read-json'

/** Larger than any of these files. */
const largestBytes = 1024 * 1024

const words = z.string().trim().min(1).optional().catch(undefined)
const Meta = z.object({
  description: words,
  agentType: words,
  toolUseId: z.string().min(1).optional().catch(undefined),
  parentAgentId: z.string().min(1).optional().catch(undefined),
})

/** Facts of a subagent that lie beside its records, in `agent-<id>.meta.json`. */
interface AgentMeta {
  readonly title: string | undefined
  /** The id of the call. */
  readonly call: string | undefined
  /** The subagent that called it, where it was no session. */
  readonly parentAgent: string | undefined
}

/** Reads what lies beside a subagent's file. What cannot be read there is as if it were not there. */
export async function readAgentMeta(disk: Disk, file: string): Promise<AgentMeta> {
  const found = await readJson(disk, file, largestBytes).catch(() => undefined)
  const value = found === undefined || found === 'damaged' ? {} : found.value
  const { description, agentType, toolUseId, parentAgentId } = Meta.safeParse(value).data ?? {}
  return { title: description ?? agentType, call: toolUseId, parentAgent: parentAgentId }
}
