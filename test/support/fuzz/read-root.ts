import type { Disk } from '../../../src/main/disk/interface/disk'
import type { HistoryReader, SourceFact, SourceRef } from '../../../src/main/readers/common/reader'
import { AppError } from '../../../src/shared/model/basics/errors'
import { allowGaps } from '../../../src/shared/model/conversation/reading'
import type { FileLedger } from '../../../src/shared/model/conversation/transcript'

/** Everything that a reader gives of a root, however damaged that is. */
export interface Given {
  readonly refs: readonly SourceRef[]
  readonly facts: readonly SourceFact[]
  readonly ledgers: readonly FileLedger[]
  /** What is said of what cannot be shown: failures, gaps, parts that a listing could not read, notices. */
  readonly told: readonly string[]
}

/**
 * Has a reader list a root and read all of it, by each of its ways.
 *
 * @throws what is thrown and is no AppError
 */
export async function readAnyhow(reader: HistoryReader, root: string, disk: Disk): Promise<Given> {
  const { signal } = new AbortController()
  const refs: SourceRef[] = []
  const facts: SourceFact[] = []
  const told: string[] = []
  const tolerant = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      told.push(error.message)
    }
  }
  const take = (fact: SourceFact) => {
    facts.push(fact)
    if (fact.type === 'notice') told.push(fact.notice)
    if (fact.type === 'damaged') told.push(fact.damaged.reason)
  }
  const onGap = ({ sentence }: { readonly sentence: string }) => void told.push(sentence)
  await tolerant(async () => {
    for await (const ref of reader.list(root, disk, signal)) refs.push(ref)
  })
  for (const ref of refs) {
    told.push(...(ref.unread ?? []).map(({ sentence }) => sentence))
    await tolerant(async () => {
      const whole = (await reader.withBeginning?.(ref, disk, signal)) ?? ref
      for await (const fact of allowGaps(reader.read(whole, disk, signal), onGap)) take(fact)
    })
    await tolerant(async () => reader.beginning?.(ref, disk, signal))
    await tolerant(async () => reader.glance?.(ref, disk, signal))
    await tolerant(async () => reader.lastTime?.(ref, disk, signal))
  }
  await tolerant(async () => {
    const accounts = reader.accounts?.(root, disk, signal)
    if (accounts !== undefined) for await (const fact of allowGaps(accounts, onGap)) take(fact)
  })
  const ledgers = facts.flatMap((fact) => (fact.type === 'file' ? [fact.ledger] : []))
  return { refs, facts, ledgers, told }
}
