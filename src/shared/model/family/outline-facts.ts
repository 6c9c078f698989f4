import type { Entry } from '../conversation/entry'
import { isFailedResult } from '../conversation/tool-results'
import { readUsage } from '../statistics/token-counts'

/**
 * Facts of an outline's messages by which no relative is found, but that the map shows: models, tokens, tools. Lists
 * are flat, since there may be a million of them.
 */
export interface OutlineFacts {
  readonly modelNames: readonly string[]
  /** By message: one more than the position of its model's name; 0 where it names none. */
  readonly models: readonly number[]
  readonly toolNames: readonly string[]
  /** Two numbers a tool call: the message, and the position of the tool's name. */
  readonly calls: readonly number[]
  /** The message of each failed tool result. */
  readonly failures: readonly number[]
  /** Five numbers a usage record: the message, input, output and all tokens, and the cost or -1 where it names none. */
  readonly usages: readonly number[]
}

/** Fields of an entry that facts are made of. */
export type FactEntry = Pick<Entry, 'entry_type' | 'to' | 'content' | 'metadata'> &
  Partial<Pick<Entry, 'file' | 'offset'>>

/** Facts while messages are still added. */
export interface FactsDraft extends OutlineFacts {
  readonly models: number[]
  readonly calls: number[]
  readonly failures: number[]
  readonly usages: number[]
  readonly modelNames: string[]
  readonly toolNames: string[]
  readonly modelPositions: Map<string, number>
  readonly toolPositions: Map<string, number>
  /** Lines and what they say was used: each counts once. */
  readonly records: Set<string>
}

/** Makes facts without a message. */
export function newFacts(): FactsDraft {
  return {
    models: [],
    calls: [],
    failures: [],
    usages: [],
    modelNames: [],
    toolNames: [],
    modelPositions: new Map(),
    toolPositions: new Map(),
    records: new Set(),
  }
}

/** Adds an entry of a message to its facts; messages come in order. */
export function addFacts(draft: FactsDraft, message: number, entry: FactEntry): void {
  while (draft.models.length <= message) draft.models.push(0)
  const model = entry.metadata?.model
  if (typeof model === 'string' && model !== '')
    draft.models[message] = 1 + positionOf(draft.modelNames, draft.modelPositions, model)
  if (entry.entry_type === 'tool_call')
    draft.calls.push(message, positionOf(draft.toolNames, draft.toolPositions, entry.to))
  if (entry.entry_type === 'tool_result' && isFailedResult(entry)) draft.failures.push(message)
  const record = readUsage(entry.metadata?.usage)
  if (record === undefined) return
  const line = `${entry.file ?? ''}:${entry.offset ?? message} ${JSON.stringify(entry.metadata?.usage)}`
  if (draft.records.has(line)) return
  draft.records.add(line)
  const { input, output, total } = record.tokens
  draft.usages.push(message, input, output, total, record.cost ?? -1)
}

/** Ends the adding. */
export function endFacts(draft: FactsDraft): OutlineFacts {
  const { modelNames, models, toolNames, calls, failures, usages } = draft
  return { modelNames, models, toolNames, calls, failures, usages }
}

/** Longest name of a model or a tool that is kept whole. */
const nameLength = 120

function positionOf(names: string[], positions: Map<string, number>, name: string): number {
  // Joined anew: a slice would keep the whole text in memory.
  const kept = Array.from(name.slice(0, nameLength)).join('')
  const known = positions.get(kept)
  if (known !== undefined) return known
  positions.set(kept, names.length)
  return names.push(kept) - 1
}
