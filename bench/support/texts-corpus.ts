import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { ConversationKey } from '../../src/shared/model/conversation/conversation'
import type { SearchableConversation } from '../../src/shared/model/search'
import type { Random } from './random'
import { TextSample } from './text-sample'
import { textFolders, textsIn } from './texts'

/** Histories whose tool results and messages are texts that other people wrote. */
export interface TextsCorpus {
  readonly folder: string
  readonly conversations: readonly SearchableConversation[]
  readonly bytes: number
  readonly entries: number
  readonly sample: TextSample
}

const fileBytes = 2_000_000

/** Writes histories from the texts of `textFolders`, until they have so many bytes or the texts end. */
export function writeTextsCorpus(folder: string, bytesWanted: number, random: Random): TextsCorpus {
  const conversations: SearchableConversation[] = []
  const sample = new TextSample(random)
  let lines: string[] = []
  let size = 0
  let bytes = 0
  let entries = 0
  const close = () => {
    if (lines.length > 0) {
      const name = `texts-${String(conversations.length).padStart(5, '0')}`
      const updated = 1_700_000_000 + entries * 30
      conversations.push(writeConversation(folder, name, lines, updated))
    }
    lines = []
    size = 0
  }
  for (const text of textsIn(textFolders())) {
    if (bytes >= bytesWanted) break
    for (let at = 0; at < text.length; ) {
      // Of 0.2 to 8 KB, as what tools answer.
      const end = at + Math.floor(200 * 40 ** random.next())
      const content = text.slice(at, end)
      at = end
      entries++
      const isResult = entries % 3 !== 0
      const line = JSON.stringify({
        id: randomUUID(),
        timestamp: 1_700_000_000 + entries * 30,
        from: isResult ? 'file_lines' : 'ann',
        to: 'notes',
        content,
        entry_type: isResult ? 'tool_result' : 'message',
      })
      sample.add(content)
      lines.push(line)
      const length = Buffer.byteLength(line) + 1
      size += length
      bytes += length
      if (size >= fileBytes) close()
    }
  }
  close()
  return { folder, conversations, bytes, entries, sample }
}

/** Writes lines to a file of that name, as a conversation to search. @param updated Unix seconds */
export function writeConversation(
  folder: string,
  name: string,
  lines: readonly string[],
  updated: number,
): SearchableConversation {
  const file = path.join(folder, `${name}.jsonl`)
  fs.writeFileSync(file, `${lines.join('\n')}\n`)
  const stat = fs.statSync(file)
  return {
    source: 'chibi',
    key: ConversationKey.parse(name),
    title: '',
    updated,
    files: [
      {
        path: file,
        place: path.basename(file),
        identity: `${stat.dev}:${stat.ino}`,
        sizeBytes: stat.size,
        mtimeMs: stat.mtimeMs,
        decoder: 'chibi',
      },
    ],
  }
}
