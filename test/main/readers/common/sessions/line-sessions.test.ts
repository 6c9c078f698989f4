import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createRandom } from '../../../../../bench/support/random'
import { appDisk } from '../../../../../src/main/disk/app-disk'
import { glanceAt } from '../../../../../src/main/readers/common/glance'
import type { HistoryReader, SourceRef } from '../../../../../src/main/readers/common/reader'
import { historyDisk } from '../../../../../src/main/readers/history-disk'
import { readers } from '../../../../../src/main/readers/index'
import { isoSeconds } from '../../../../../src/shared/model/basics/time'
import { damage } from '../../../../support/damage'
import { tempFolders } from '../../../../support/temp-folder'

const fixtures = path.resolve(import.meta.dirname, '../../../../fixtures/readers')
const temp = tempFolders()
const disk = historyDisk(appDisk)
const signal = new AbortController().signal

/** Systems with a file of lines for each session, and how a record of each names its session. */
const titled: Readonly<Record<string, (title: string) => object>> = {
  'claude-code': (title) => ({ type: 'custom-title', customTitle: title, sessionId: 's' }),
  codex: (name) => ({
    timestamp: '2026-09-01T08:00:00.000Z',
    type: 'event_msg',
    payload: { type: 'thread_name_updated', thread_name: name },
  }),
  pi: (name) => ({ type: 'session_info', id: 'x', parentId: null, name }),
  openclaw: (name) => ({ type: 'session_info', id: 'x', parentId: null, name }),
  droid: (title) => ({ type: 'session_start', id: 'x', title, sessionTitle: title }),
  qwen: (customTitle) => ({
    ...{ uuid: 'x', parentUuid: null, sessionId: 's', timestamp: '2026-09-01T08:00:00.000Z' },
    ...{ type: 'system', subtype: 'custom_title', systemPayload: { customTitle } },
  }),
  jan: () => ({}),
  kimi: () => ({}),
  antigravity: () => ({}),
}
const tested = readers.filter(({ id }) => id in titled)
const random = createRandom(29)

async function refsOf(reader: HistoryReader, root: string): Promise<readonly SourceRef[]> {
  const refs: SourceRef[] = []
  for await (const ref of reader.list(root, disk, signal)) refs.push(ref)
  return refs
}

function readOf({ root, files }: SourceRef): string {
  return path.join(root, files.at(-1)?.file ?? '')
}

/** As a program may write it: any letter as an escape. */
function escaped(text: string): string {
  return text.replace(/[a-z]/g, (letter) =>
    random.below(9) === 0 ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter,
  )
}

it.each(tested)(
  'shows of $id by one reading what two tell, whatever the damage',
  async (reader) => {
    const { glance: _, ...plain } = reader
    const root = path.join(temp(), reader.id)
    fs.cpSync(path.join(fixtures, reader.id, 'input'), root, { recursive: true })
    const files = [...new Set((await refsOf(reader, root)).map(readOf))].filter((file) =>
      file.endsWith('.jsonl'),
    )
    expect(files.length).toBeGreaterThan(0)
    const whole = new Map(files.map((file) => [file, fs.readFileSync(file)]))
    for (let trial = 0; trial < 12; trial++) {
      for (const [file, bytes] of whole) {
        const title = `${JSON.stringify(titled[reader.id]?.(`Title ${trial}`))}\n`
        const at = bytes.lastIndexOf(0x0a, random.below(bytes.length)) + 1
        const name = random.below(2) === 0 ? title : escaped(title)
        const own = Buffer.concat([bytes.subarray(0, at), Buffer.from(name), bytes.subarray(at)])
        fs.writeFileSync(file, trial % 3 === 0 ? own : damage(random, damage(random, own)))
      }
      for (const ref of await refsOf(reader, root))
        expect(await glanceAt(reader, ref, disk, signal), ref.key).toEqual(
          await glanceAt(plain, ref, disk, signal),
        )
    }
  },
)

it.each(tested.filter(({ id }) => JSON.stringify(titled[id]?.('Q')).includes('Q')))(
  'finds the last title of $id among long results, however it is written',
  async (reader) => {
    const root = path.join(temp(), reader.id)
    fs.cpSync(path.join(fixtures, reader.id, 'input'), root, { recursive: true })
    // The list of sessions that OpenClaw keeps beside them has names too.
    for (const file of fs.readdirSync(root, { recursive: true, encoding: 'utf8' }))
      if (path.basename(file) === 'sessions.json') fs.rmSync(path.join(root, file))
    const listed = await refsOf(reader, root)
    const ref = listed.find(
      (one) => readOf(one).endsWith('.jsonl') && one.storedTitle === undefined,
    )
    if (ref === undefined) throw new Error('no session of lines')
    const file = readOf(ref)
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
    const last = lines.at(-1) ?? ''
    const time = (await glanceAt(reader, ref, disk, signal))?.updated
    const title = JSON.stringify(titled[reader.id]?.('Quiet pond'))
    const other = JSON.stringify(titled[reader.id]?.('An older name'))
    const filled = { type: 'x', text: `\u001b[1m${'quiet '.repeat(1000)}` }
    for (const written of [title, title.replaceAll('t', '\\u0074')]) {
      fs.writeFileSync(
        file,
        `${[...lines, other, written, JSON.stringify(filled), last].join('\n')}\n`,
      )
      const [now] = (await refsOf(reader, root)).filter(({ key }) => key === ref.key)
      const shown = now && (await glanceAt(reader, now, disk, signal))
      expect(shown?.title).toBe('Quiet pond')
      expect(isoSeconds(shown?.updated ?? '')).toBeGreaterThanOrEqual(isoSeconds(time ?? '') ?? 0)
    }
  },
)
