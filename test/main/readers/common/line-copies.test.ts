import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { countHistory } from '../../../../src/main/library/count/count'
import { inlineCounter } from '../../../../src/main/library/count/counter'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/sources/library-transcripts'
import { claudeCodeReader } from '../../../../src/main/readers/claude-code/claude-code'
import type { HistoryReader } from '../../../../src/main/readers/common/reader'
import { piReader } from '../../../../src/main/readers/pi/pi'
import { readRoot } from '../../../../src/main/readers/read-root'
import { openStore } from '../../../../src/main/store/open-store'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import type { PageFrom } from '../../../../src/shared/model/conversation/transcript'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const noSignal = new AbortController().signal
const at = '2026-09-10T09:00:00.000Z'

interface Format {
  readonly reader: HistoryReader
  /** Below the root. */
  readonly file: string
  readonly line: (id: string, parent: string | null, words: string) => string
}

const formats: readonly Format[] = [
  {
    reader: claudeCodeReader,
    file: 'projects/-garden/ae619569-e1d3-4f67-a3d7-4b650c6c087a.jsonl',
    line: (uuid, parentUuid, content) =>
      JSON.stringify({ uuid, parentUuid, timestamp: at, type: typeOf(uuid), message: { content } }),
  },
  {
    reader: piReader,
    file: 'sessions/--garden--/2026-09-10T09-00-00-000Z_s.jsonl',
    line: (id, parentId, content) => {
      const message = { role: typeOf(id), content }
      return JSON.stringify({ type: 'message', id, parentId, timestamp: at, message })
    },
  },
]

/** `u1` is a person, `a1` the model. */
function typeOf(id: string): 'user' | 'assistant' {
  return id.startsWith('u') ? 'user' : 'assistant'
}

function write({ file }: Format, lines: readonly string[], end = '\n'): string {
  const root = temp()
  const whole = path.join(root, file)
  fs.mkdirSync(path.dirname(whole), { recursive: true })
  fs.writeFileSync(whole, `${lines.join('\n')}${end}`)
  return root
}

async function only(format: Format, root: string) {
  const { conversations, files } = await readRoot(format.reader, root, nodeDisk, noSignal)
  const [conversation, ...others] = conversations
  expect(others).toEqual([])
  if (conversation === undefined) throw new Error('no conversation')
  return { ...conversation, ledger: files[0] }
}

/** What the window shows: the rows of the last page, and how many are elsewhere. */
function openedIn(format: Format, root: string) {
  const histories = openHistories(nodeDisk, [{ source: format.reader.id, path: root }])
  const store = openStore({ home: temp(), disk: nodeDisk })
  const transcripts = openTranscripts({ disk: nodeDisk, store, histories })
  return {
    async page(from: PageFrom = 'end') {
      const [first] = await histories.list()
      if (first === undefined) throw new Error('no conversation')
      const { rows, branches } = await transcripts.page(first.key, from, 50)
      const words = rows.map((row) => (row.type === 'entry' ? row.entry.content : '!'))
      return { words, elsewhere: branches?.elsewhere }
    },
    async counted() {
      const [first] = await histories.list()
      if (first === undefined) throw new Error('no conversation')
      return countHistory(inlineCounter(nodeDisk), nodeDisk, first)
    },
  }
}

describe.each(formats)(
  'a record of $reader.id that is in its file twice, byte for byte',
  (format) => {
    const { line } = format
    const u1 = line('u1', null, 'graft the pear')
    const a1 = line('a1', 'u1', 'in March')
    const u2 = line('u2', 'a1', 'and the plum?')
    const other = line('u3', 'a1', 'and the apple?')

    it('is one entry: the second line is accounted for, and is no branch', async () => {
      const root = write(format, [u1, a1, other, u2, u2, a1, line('a2', 'u2', 'in April')])
      const { entries, active, ledger } = await only(format, root)
      expect(entries.map(({ id, line: number }) => [id, number])).toEqual([
        ['u1', 1],
        ['a1', 2],
        ['u3', 3],
        ['u2', 4],
        ['a2', 7],
      ])
      expect(active).toEqual(['u1', 'a1', 'u2', 'a2'])
      expect(ledger).toMatchObject({ lines: 7, entryLines: 5, control: 2, damaged: [] })
      const shown = openedIn(format, root)
      expect(await shown.page()).toEqual({
        words: ['graft the pear', 'in March', 'and the plum?', 'in April'],
        elsewhere: 1,
      })
      expect(await shown.counted()).toMatchObject({ lines: 7, entries: 5 })
    })

    it('opens at the entry that is shown, also from the second line, which search finds too', async () => {
      const lines = [u1, a1, other, u2, u2, line('a2', 'u2', 'in April')]
      const shown = openedIn(format, write(format, lines))
      const second = Buffer.byteLength(lines.slice(0, 4).join('\n')) + 1
      const around = { file: format.file, offset: second, entry: EntryId.parse('u2') }
      expect((await shown.page({ around })).words).toEqual([
        'graft the pear',
        'in March',
        'and the plum?',
        'in April',
      ])
    })

    it('still tells where the conversation is now', async () => {
      const root = write(format, [u1, a1, u2, other, u2])
      expect((await only(format, root)).active).toEqual(['u1', 'a1', 'u2'])
      expect(await openedIn(format, root).page()).toMatchObject({ elsewhere: 1 })
    })

    it('is another entry where one byte differs', async () => {
      const changed = line('u2', 'a1', 'and the plum!')
      expect(Buffer.byteLength(changed)).toBe(Buffer.byteLength(u2))
      const root = write(format, [u1, a1, u2, changed])
      const { entries } = await only(format, root)
      expect(entries.map(({ content }) => content).slice(2)).toEqual([
        'and the plum?',
        'and the plum!',
      ])
      expect(await openedIn(format, root).counted()).toMatchObject({ entries: 4 })
    })

    it('stays one while the last line has no end yet, and once it has', async () => {
      const root = write(format, [u1, a1, u2, u2], '')
      const shown = openedIn(format, root)
      const words = ['graft the pear', 'in March', 'and the plum?']
      expect((await shown.page()).words).toEqual(words)
      fs.appendFileSync(path.join(root, format.file), `\n${line('a2', 'u2', 'in April')}\n`)
      expect((await shown.page()).words).toEqual([...words, 'in April'])
      expect((await only(format, root)).entries).toHaveLength(4)
    })
  },
)
