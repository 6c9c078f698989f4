import type { AdoptReport, BranchAction, EntryAt } from '../../shared/model/branching'
import { ConversationKey, partsOf } from '../../shared/model/conversation'
import type { Entry } from '../../shared/model/entry'
import { AppError } from '../../shared/model/errors'
import type { Origin } from '../../shared/model/family'
import type { Disk } from '../disk/disk'
import { type ReadRoot, readUnit } from '../readers/gather'
import type { ContextBeginning } from '../store/creation'
import { adoptedEntries, openingPrompt } from './adopt-entries'
import { adoptReport } from './adopt-report'
import { pathTo } from './foreign-path'
import type { History } from './histories'

/** A path of another system's conversation, ready to be written as a context of ours. */
export interface Adoption {
  readonly title: string
  /** What the context begins with, once it has a name. */
  readonly beginning: (context: string) => ContextBeginning
  readonly report: AdoptReport
}

/**
 * Reads the path to an entry of a foreign conversation, to be copied. The source is only read.
 *
 * @param nowSeconds for entries without a time in a conversation that tells none
 * @throws AppError `not-found`, `unreadable`, `bad-argument`
 */
export async function adoption(
  history: History,
  disk: Disk,
  at: EntryAt,
  action: BranchAction['type'],
  nowSeconds: number,
): Promise<Adoption> {
  const read = await readUnit(history.reader, history.ref, disk, new AbortController().signal)
  const conversation = read.conversations[0]
  if (conversation === undefined)
    throw new AppError('not-found', `There is no conversation "${history.key}" any more.`)
  const path = pathTo(conversation.entries, at, action)
  const created = conversation.created === null ? Number.NaN : Date.parse(conversation.created)
  const seconds = Number.isNaN(created) ? nowSeconds : Math.max(0, Math.floor(created / 1000))
  const prompt = promptOf(path)
  const origin: Origin = {
    source: history.ref.source,
    key: ConversationKey.parse(partsOf(history.key).key),
    entry: path.at(-1)?.id ?? null,
    entries: path.length,
  }
  return {
    title: conversation.title,
    beginning: (context) => ({
      metadata: { origin },
      entries: adoptedEntries(path, { context, seconds }),
      files: new Map(prompt === '' ? [] : [['system_prompt.md', prompt]]),
    }),
    report: adoptReport(path, linesBefore(read, path)),
  }
}

function promptOf(path: readonly Entry[]): string {
  const words = openingPrompt(path).map(({ content }) => content)
  return words.filter((text) => text.trim() !== '').join('\n\n')
}

/** The lines before the cut that are no messages. */
function linesBefore(
  { files }: ReadRoot,
  path: readonly Entry[],
): { readonly damaged: number; readonly control: number } {
  const last = path.at(-1)
  const ledger = files.find(({ file }) => file === last?.file)
  if (last === undefined || ledger === undefined) return { damaged: 0, control: 0 }
  const damaged = ledger.damaged.filter(({ offset }) => offset <= last.offset).length
  return { damaged, control: ledger.control }
}
