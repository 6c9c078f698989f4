import { firstWords } from '../../../shared/model/basics/first-words'
import { isWrittenByPerson } from '../../../shared/model/conversation/entry'
import { LedgerCount } from '../../../shared/model/conversation/ledger'
import type { Gap } from '../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import type { ValuePosition } from '../../disk/json/json-accept'
import { readLines } from '../../disk/reading/lines'
import { decodeSourceLine, unpackGap } from '../common/json-lines'
import { fileOf, inOwnFile } from '../common/one-file'
import type { SourceFact, SourceRef } from '../common/reader'
import { type GeminiLine, geminiLine, type SessionFields, type SessionStep } from './line'
import { SessionPlay } from './session'

/** A session as it was played to its end. */
export interface PlayedSession {
  readonly fields: SessionFields
  /** The first words of a person. */
  readonly words: string | undefined
  /** Entries in the order of the session, then the ledger. */
  readonly facts: readonly (SourceFact | Gap)[]
}

/**
 * Reads a session and plays it to its end. Holds it whole: Gemini cuts what tools answer at 50 KB.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function playSession(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<PlayedSession> {
  const { file } = fileOf(ref)
  return inOwnFile(ref, disk, (opened) => playFile(opened, file, signal))
}

async function playFile(
  opened: DiskFile,
  file: string,
  signal: AbortSignal,
): Promise<PlayedSession> {
  const count = new LedgerCount(file, 'line')
  const play = new SessionPlay()
  const { sizeBytes } = await opened.stat()
  for await (const lines of readLines(opened, { signal }))
    for (const line of lines) {
      const steps: SessionStep[] = []
      const fields: SessionFields[] = []
      const accept = (
        value: unknown,
        text: string,
        position: ValuePosition,
      ): GeminiLine | string => {
        const meaning = geminiLine(value, text, position)
        if (typeof meaning === 'string') return meaning
        if (meaning.step !== undefined) steps.push(meaning.step)
        if (meaning.fields !== undefined) fields.push(meaning.fields)
        return meaning
      }
      const decoded = await decodeSourceLine(line, file, count.nextLine, accept)
      count.add(decoded)
      play.take(decoded, steps, fields)
    }
  const facts: (SourceFact | Gap)[] = [...play.facts()]
  const gap = unpackGap(opened, file, sizeBytes)
  if (gap !== undefined) facts.push(gap)
  facts.push({ type: 'file', ledger: count.ledger() })
  return { fields: play.fields, words: wordsIn(facts), facts }
}

function wordsIn(facts: readonly (SourceFact | Gap)[]): string | undefined {
  for (const fact of facts)
    if ('type' in fact && fact.type === 'entry' && isWrittenByPerson(fact.entry)) {
      const words = firstWords(fact.entry.content)
      if (words !== '') return words
    }
  return undefined
}
