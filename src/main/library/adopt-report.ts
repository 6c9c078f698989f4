import type { AdoptReport } from '../../shared/model/branching'
import { type Entry, speakerOf } from '../../shared/model/entry'
import { movedBeforeCalls, openingPrompt } from './adopt-entries'

/** Says in words what becomes of a foreign path when it is copied. */
export function adoptReport(
  path: readonly Entry[],
  lines: { readonly damaged: number; readonly control: number },
): AdoptReport {
  const prompts = openingPrompt(path).length
  const laterSystem = path.filter((entry) => speakerOf(entry) === 'system').length - prompts
  const count = (is: (entry: Entry) => boolean) => path.filter(is).length
  const hasKey = (entry: Entry, key: string) => entry.metadata?.[key] !== undefined
  const silent = count((entry) => !isSaid(entry) && !isOfCall(entry) && !isReasoning(entry))
  const notes: readonly (string | undefined)[] = [
    told(prompts, ['system prompt is', 'system prompts are'], 'the prompt of the new context'),
    told(laterSystem, ['later word', 'later words'], 'of the system kept where said'),
    told(
      count(({ timestamp }) => timestamp === null),
      ['entry had', 'entries had'],
      'no time and got the one before, or that of the beginning',
    ),
    told(
      count(({ timestamp }) => timestamp !== null && !Number.isInteger(timestamp)),
      ['time was', 'times were'],
      'cut to whole seconds; the exact one is in the metadata',
    ),
    told(
      count((entry) => hasKey(entry, 'images') || hasKey(entry, 'attachments')),
      ['entry has', 'entries have'],
      'images or attachments: kept in the metadata, not sent to the model',
    ),
    told(count(isReasoning), ['text of reasoning is', 'texts of reasoning are'], 'kept, not sent'),
    told(
      unanswered(path),
      ['tool call has', 'tool calls have'],
      'no result; the model is told that none was kept',
    ),
    told(
      movedBeforeCalls(path),
      ['entry was', 'entries were'],
      'put before the tool calls of the same line',
    ),
    told(silent, ['entry is', 'entries are'], 'of a kind that is shown but not sent'),
    told(lines.damaged, ['damaged line was', 'damaged lines were'], 'not taken over'),
    told(
      lines.control,
      ['line was', 'lines were'],
      'left out that is no message (such as the title)',
    ),
  ]
  return {
    entries: path.length,
    kept: path.length - prompts,
    notes: notes.filter((note) => note !== undefined),
  }
}

function told(
  count: number,
  [one, many]: readonly [string, string],
  what: string,
): string | undefined {
  if (count <= 0) return undefined
  return `${count.toLocaleString('en')} ${count === 1 ? one : many} ${what}.`
}

function isSaid(entry: Entry): boolean {
  return speakerOf(entry) !== undefined
}

function isReasoning(entry: Entry): boolean {
  return entry.entry_type === 'reasoning'
}

function isOfCall({ entry_type }: Entry): boolean {
  return entry_type === 'tool_call' || entry_type === 'tool_result'
}

/** Calls less the results that name them, or that stand there without a name. */
function unanswered(path: readonly Entry[]): number {
  const waiting = new Map<string, number>()
  let nameless = 0
  for (const { entry_type, tool_call_id: id } of path) {
    const step = entry_type === 'tool_call' ? 1 : entry_type === 'tool_result' ? -1 : 0
    if (id === undefined) nameless = Math.max(0, nameless + step)
    else waiting.set(id, Math.max(0, (waiting.get(id) ?? 0) + step))
  }
  return [...waiting.values()].reduce((sum, count) => sum + count, nameless)
}
