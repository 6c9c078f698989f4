import path from 'node:path'
import { countWithNoun, plural } from '../../../shared/model/basics/plural'
import { allowGaps, readingOf } from '../../../shared/model/conversation/reading'
import { type Disk, DiskError, type FileStat } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { jsonLineFacts, openSource } from '../common/json-lines'
import { perFileCache } from '../common/per-file-cache'
import { byStamp, documentEntries, documentName, type FoundFile } from './documents'
import { voiceLine } from './line'

/** Text files that are conversations of their own, and a sentence for each day that holds the text of others. */
interface Beside {
  readonly documents: readonly FoundFile[]
  readonly notices: readonly string[]
}

/**
 * Leaves out the text files whose text is in the day file of their date, or of the next day after midnight: voicemode
 * writes both for one utterance, and `conversation_*.txt` besides. A text file stays if the day does not have its text
 * as many times. Reads the days that have text files, once.
 */
export async function withoutDayDuplicates(
  root: string,
  documents: readonly FoundFile[],
  days: readonly FoundFile[],
  disk: Disk,
  signal: AbortSignal,
): Promise<Beside> {
  const kept = new Set<FoundFile>()
  const passedOver = new Map<string, number>()
  const used = new Map<string, number>()
  for (const found of [...documents].sort(byStamp)) {
    signal.throwIfAborted()
    const [, kind = '', date] = documentName.exec(path.posix.basename(found.file)) ?? []
    const beside = date === undefined ? [] : days.filter(({ file }) => isOf(file, date))
    const day = await dayThatTells(found, kind, beside)
    if (day === undefined) kept.add(found)
    else passedOver.set(day, (passedOver.get(day) ?? 0) + 1)
  }
  const notices = [...passedOver].map(([day, count]) => {
    const what = countWithNoun(count, 'text file is', 'text files are')
    return `${what} skipped: ${plural(count, 'its', 'their')} words are also in ${day}.`
  })
  return { documents: documents.filter((found) => kept.has(found)), notices }

  /** Each utterance of a day speaks for one text file of a kind. */
  async function dayThatTells(document: FoundFile, kind: string, beside: readonly FoundFile[]) {
    if (beside.length === 0) return undefined
    const own = await utterancesIn(disk, path.join(root, document.file), document.stat)
    if (own.length === 0) return undefined
    for (const { file, stat } of beside) {
      const said = await utterancesOfDay(disk, path.join(root, file), file, stat, signal)
      const uses = own.map((words) => ({ words, key: `${file}\n${kind}\n${words}` }))
      if (!uses.every(({ words, key }) => (used.get(key) ?? 0) < (said.get(words) ?? 0))) continue
      for (const { key } of uses) used.set(key, (used.get(key) ?? 0) + 1)
      return file
    }
    return undefined
  }
}

/** Returns true for a day file of a date such as `20250628`, or of the day after. */
function isOf(file: string, date: string): boolean {
  const midnight = Date.UTC(
    Number(date.slice(0, 4)),
    Number(date.slice(4, 6)) - 1,
    Number(date.slice(6)),
  )
  const name = path.posix.basename(file)
  return [midnight, midnight + 86_400_000].some((ms) => {
    const time = new Date(ms)
    return !Number.isNaN(ms) && name.includes(time.toISOString().slice(0, 10))
  })
}

/** Speaker and text, without regard to white space. */
function utterance(role: string | undefined, content: string): string {
  return `${role ?? ''} ${content.trim().replace(/\s+/g, ' ')}`
}

const ofTexts = perFileCache<{
  readonly stat: FileStat
  readonly utterances: readonly string[]
}>()

/** None for one that is blank, or cannot be read: then it is reported where it is read. */
async function utterancesIn(disk: Disk, file: string, stat: FileStat): Promise<readonly string[]> {
  const found = await ofTexts.get(disk, file, stat, async () => {
    const text = await readSmallText(disk, file).catch(undefinedWhereUnreadable)
    const entries = text === undefined || text.trim() === '' ? [] : documentEntries(text)
    return { stat, utterances: entries.map(({ role, content }) => utterance(role, content)) }
  })
  return found.utterances
}

const ofDays = perFileCache<{
  readonly stat: FileStat
  readonly utterances: ReadonlyMap<string, number>
}>()

async function utterancesOfDay(
  disk: Disk,
  whole: string,
  file: string,
  stat: FileStat,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const found = await ofDays.get(disk, whole, stat, async () => {
    const utterances = new Map<string, number>()
    const opened = await openSource(disk, whole).catch(() => undefined)
    if (opened === undefined) return { stat, utterances }
    try {
      const facts = readingOf(file, jsonLineFacts(opened, file, voiceLine, signal))
      // Lines after a gap prove nothing for a text file, which is then shown.
      for await (const fact of allowGaps(facts, () => undefined)) {
        if (fact.type !== 'entry') continue
        const said = utterance(fact.entry.role, fact.entry.content)
        utterances.set(said, (utterances.get(said) ?? 0) + 1)
      }
    } catch (error) {
      undefinedWhereUnreadable(error)
    } finally {
      await opened.close()
    }
    return { stat, utterances }
  })
  return found.utterances
}

function undefinedWhereUnreadable(error: unknown): undefined {
  if (error instanceof DiskError) return undefined
  throw error
}
