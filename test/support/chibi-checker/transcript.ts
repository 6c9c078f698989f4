import fs from 'node:fs'
import path from 'node:path'
import { type CheckedEntry, checkType, entriesOf, isAnchor } from './entry'
import { type Faults, isObject } from './faults'
import { readLines } from './lines'
import { checkPairs } from './pairing'
import { readPartitions } from './partitions'

export interface TranscriptRules {
  /** The calls at the very end may lack results. */
  readonly openCalls: boolean
  /** chibi's bytes_per_token, by which a manifest counts tokens. */
  readonly bytesPerToken: number
  /** Names besides its own that a context's older entries may give it. */
  readonly formerNames: readonly string[]
}

/**
 * A context's transcript: every line of every partition, oldest first, then what holds over all of them.
 *
 * @param folder of the context, relative to the home
 */
export function checkTranscript(
  home: string,
  folder: string,
  context: string,
  rules: TranscriptRules,
  faults: Faults,
): readonly CheckedEntry[] {
  const active = `${folder}/transcript/active.jsonl`
  const archived = readPartitions(home, folder, rules.bytesPerToken, faults)
  const entries = [...archived, ...entriesOf(home, active, faults)]
  for (const entry of entries) checkType(entry, [context, ...rules.formerNames], faults)
  checkWhole(entries, active, faults)
  checkPairs(entries, faults, rules)
  return entries
}

/** Entries stand once; the first of a transcript creates its context, and no other does. */
function checkWhole(entries: readonly CheckedEntry[], active: string, faults: Faults): void {
  if (entries[0] === undefined) faults.add(active, undefined, 'there is no entry')
  const ids = new Map<string, CheckedEntry>()
  for (const [index, entry] of entries.entries()) {
    const { at, id, type } = entry
    const before = ids.get(id)
    if (before === undefined) ids.set(id, entry)
    else faults.add(at.file, at.line, `has the id of ${before.at.file}:${before.at.line}`)
    if ((type === 'context_created') !== (index === 0))
      faults.add(at.file, at.line, 'a transcript begins with context_created, once')
  }
}

/**
 * context.jsonl: the transcript's lines from its last anchor on, without changes of the system prompt. A rolling
 * compaction keeps a part of the window before: chibi would write those messages again, or lose them; here the anchor
 * names their entries, which stand earlier, and the window has their lines right behind the anchor's.
 */
export function checkWindow(
  home: string,
  folder: string,
  entries: readonly CheckedEntry[],
  faults: Faults,
): void {
  const file = `${folder}/context.jsonl`
  // chibi builds it again at its next start, whatever stands there.
  if (fs.existsSync(path.join(home, folder, '.dirty'))) return
  if (!fs.existsSync(path.join(home, file))) {
    faults.add(file, undefined, 'is missing')
    return
  }
  const lines = readLines(home, file, faults)
  const from = Math.max(0, entries.findLastIndex(isAnchor))
  const later = entries.slice(from).filter(({ type }) => type !== 'system_prompt_changed')
  const wanted = [...later.slice(0, 1), ...keptBefore(entries, from, faults), ...later.slice(1)]
  // A new context's window is empty: its anchor stands there only once it was built again.
  const isBare = wanted[0]?.type === 'context_created' && lines[0]?.value.id !== wanted[0].id
  for (const [index, entry] of (isBare ? wanted.slice(1) : wanted).entries()) {
    const line = lines[index]
    if (line?.text === entry.at.text) continue
    const where = `${entry.at.file}:${entry.at.line}`
    faults.add(file, index + 1, `is not the line of ${where}, which is due here`)
    return
  }
  const due = wanted.length - (isBare ? 1 : 0)
  if (lines.length > due) faults.add(file, due + 1, 'the transcript has no such line in its window')
}

/** The earlier entries that an anchor keeps: each stands before it, none is an anchor, and their order is the transcript's. */
function keptBefore(
  entries: readonly CheckedEntry[],
  from: number,
  faults: Faults,
): readonly CheckedEntry[] {
  const at = entries[from]?.at
  const metadata = at?.value.metadata
  const kept: unknown = isObject(metadata) ? metadata.kept : undefined
  if (at === undefined || kept === undefined) return []
  const fault = (words: string) => faults.add(at.file, at.line, words)
  if (!Array.isArray(kept) || kept.length === 0) {
    fault('"kept" is no list with something in it')
    return []
  }
  const places = kept.map((id) => entries.slice(0, from).findIndex((entry) => entry.id === id))
  if (places.includes(-1)) fault('keeps an entry that does not stand before it')
  if (places.some((place, i) => i > 0 && place <= (places[i - 1] ?? 0)))
    fault('keeps entries in another order than theirs')
  const found = places.flatMap((place) => entries[place] ?? [])
  if (found.some(isAnchor)) fault('keeps an anchor')
  return found
}
