import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import { rowKey, type TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { ExportBranches } from '../../../shared/model/export'
import {
  allParts,
  type ExportParts,
  type ExportRange,
  leavesOut,
} from '../../../shared/model/export-choices'
import { exportKindOf } from '../../exporters/parts/entry-kind'
import type { Exportable } from '../../exporters/parts/exporter'
import { isOnPath } from '../../exporters/parts/rows'

/** Choice of what of a conversation is written. */
interface Choice {
  readonly parts?: ExportParts | undefined
  readonly range?: ExportRange | undefined
  readonly branches: ExportBranches
}

/** Entries that a choice leaves out of one conversation. */
export interface LeftOut {
  /** Entries. */
  readonly count: number
  /** The nearest entry before each that stays; null where there is none. */
  readonly parents: ReadonlyMap<EntryId, EntryId | null>
}

/** Reads a conversation whole for what a choice leaves out of it; undefined where it leaves nothing out. */
export async function findLeftOut(
  plain: Exportable,
  choice: Choice,
  signal: AbortSignal,
): Promise<LeftOut | undefined> {
  if (!leavesOut(choice.parts, choice.range)) return undefined
  const parents = new Map<EntryId, EntryId | null>()
  let count = 0
  const isChosen = chooser(plain, choice)
  for await (const row of plain.rows) {
    signal.throwIfAborted()
    if (isChosen(row) || row.type === 'damaged') continue
    count += 1
    const { id, parent = null } = row.entry
    parents.set(id, parent === null ? null : (parents.get(parent) ?? parent))
  }
  return { count, parents }
}

/**
 * Makes a conversation of the entries that are chosen: what went on from one that is left out goes on from the entry before it.
 *
 * @param leftOut as of `findLeftOut` of the same conversation
 */
export function chosenConversation(
  plain: Exportable,
  choice: Choice,
  { parents }: LeftOut,
): Exportable {
  const parts = choice.parts ?? allParts
  return {
    ...plain,
    ...(parts.times ? {} : { created: null, updated: null }),
    active: plain.active?.filter((id) => !parents.has(id)),
    rows: chosenRows(plain, choice, parts, parents),
  }
}

async function* chosenRows(
  plain: Exportable,
  choice: Choice,
  parts: ExportParts,
  parents: LeftOut['parents'],
): AsyncGenerator<TranscriptRow> {
  const isChosen = chooser(plain, choice)
  for await (const row of plain.rows) {
    if (!isChosen(row)) continue
    if (row.type === 'damaged') yield row
    else yield { type: 'entry', entry: chosenEntry(row.entry, parts, parents) }
  }
}

function chosenEntry(entry: Entry, parts: ExportParts, parents: LeftOut['parents']): Entry {
  const { metadata } = entry
  const { parent } = entry
  const isParted = !parts.reasoning && metadata !== undefined && 'reasoning' in metadata
  const { reasoning: _, ...rest } = metadata ?? {}
  return {
    ...entry,
    ...(parts.times ? {} : { timestamp: null }),
    ...(parent != null && parents.has(parent) ? { parent: parents.get(parent) } : {}),
    ...(isParted ? { metadata: rest } : {}),
  }
}

/** Makes a function that is asked for each row once, in order. Rows beside the path stay: formats leave them out themselves. */
function chooser(
  { active }: Pick<Exportable, 'active'>,
  { parts = allParts, range = {}, branches }: Choice,
): (row: TranscriptRow) => boolean {
  const onPath = isOnPath(branches === 'active' ? active : undefined)
  const isAt = (row: TranscriptRow, end: string | undefined) =>
    end !== undefined && (rowKey(row) === end || (row.type === 'entry' && row.entry.id === end))
  let state: 'before' | 'in' | 'after' = range.from === undefined ? 'in' : 'before'
  return (row) => {
    if (state === 'before' && isAt(row, range.from)) state = 'in'
    if (state === 'in' && isAt(row, range.before)) state = 'after'
    const isIn = state === 'in'
    if (state === 'in' && isAt(row, range.to)) state = 'after'
    if (row.type === 'entry' && !onPath(row.entry.id)) return true
    return isIn && (row.type === 'damaged' || hasPart(row.entry, parts))
  }
}

function hasPart(entry: Entry, { tools, reasoning, system }: ExportParts): boolean {
  switch (exportKindOf(entry)) {
    case 'call':
      return tools !== 'none'
    case 'result':
      return tools === 'all'
    case 'reasoning':
      return reasoning
    case 'system':
      return system
    default:
      return true
  }
}
