import fs from 'node:fs'
import path from 'node:path'
import { ConversationKey } from '../../src/shared/model/conversation/conversation'
import type { SearchableConversation, SearchFile } from '../../src/shared/model/search'

/** An entry of a chibi transcript, as tests of search write it. */
export interface CorpusEntry {
  readonly id: string
  readonly timestamp?: number | null
  readonly content: string
  readonly entry_type?: string
  readonly from?: string
  readonly to?: string
  readonly role?: string
}

/** The line of an entry, without its line feed. */
export function lineOf(entry: CorpusEntry): string {
  return JSON.stringify({
    timestamp: 1_760_000_000,
    from: 'ann',
    to: 'notes',
    entry_type: 'message',
    ...entry,
  })
}

/** Writes a file of entries; every line is ended. Returns its path. */
export function writeEntries(
  folder: string,
  name: string,
  entries: readonly CorpusEntry[],
): string {
  return writeLines(folder, name, entries.map(lineOf))
}

export function writeLines(folder: string, name: string, lines: readonly string[]): string {
  const file = path.join(folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  return file
}

/** A file as it stands now. */
export function searchFile(file: string, more: Partial<SearchFile> = {}): SearchFile {
  const stat = fs.statSync(file)
  return {
    path: file,
    place: path.basename(file),
    identity: `${stat.dev}:${stat.ino}`,
    sizeBytes: stat.size,
    mtimeMs: stat.mtimeMs,
    decoder: 'chibi',
    ...more,
  }
}

/** A conversation of these files as they stand now. */
export function conversation(
  key: string,
  files: readonly string[],
  more: Partial<SearchableConversation> = {},
): SearchableConversation {
  return {
    source: 'chibi',
    key: ConversationKey.parse(key),
    title: key,
    updated: 1_760_000_000,
    files: files.map((file) => searchFile(file)),
    ...more,
  }
}
