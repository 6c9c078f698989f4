import { allowGaps } from '../../../shared/model/conversation/reading'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import type { FileLedger } from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import type { History } from '../../library/sources/histories'
import { isUnreadable } from './tolerant-reading'

/** Reads the ledgers of a conversation's files; `own` are those that its own reading gave. */
export type LedgersOf = (
  of: Pick<History, 'reader' | 'ref'>,
  own: readonly FileLedger[],
) => Promise<readonly FileLedger[]>

/**
 * Reads ledgers of files that several conversations share: the root's own reading accounts for them. Reads each root
 * once, as long as the result is kept.
 *
 * @param note gets what cannot be read, in words
 */
export function sharedLedgers(
  disk: Disk,
  signal: AbortSignal,
  note: (words: string) => void,
): LedgersOf {
  const known = new Map<string, Promise<readonly FileLedger[]>>()

  async function ledgersUnder({
    reader,
    ref,
  }: Pick<History, 'reader' | 'ref'>): Promise<readonly FileLedger[]> {
    const ledgers: FileLedger[] = []
    const accounts = reader.accounts?.(ref.root, disk, signal)
    if (accounts === undefined) return ledgers
    try {
      // What cannot be read of a conversation's own files, its own reading has reported.
      for await (const fact of allowGaps(accounts, () => undefined))
        if (fact.type === 'file') ledgers.push(fact.ledger)
    } catch (error) {
      if (signal.aborted || !isUnreadable(error)) throw error
      note(`${sourceLabel(reader.id)}: ${error.message}`)
    }
    return ledgers
  }

  return async (of, own) => {
    const { reader, ref } = of
    if (reader.accounts === undefined) return own
    const key = JSON.stringify([ref.source, ref.root])
    const all = known.get(key) ?? ledgersUnder(of)
    known.set(key, all)
    const names = new Set(ref.files.map(({ file }) => file))
    return (await all).filter(({ file }) => names.has(file))
  }
}
