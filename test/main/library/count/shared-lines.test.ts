import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { countHistory } from '../../../../src/main/library/count/count'
import { inlineCounter } from '../../../../src/main/library/count/counter'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const folder = tempFolders(memoryFolder)

/** Conversations of one day, as they count a line: `owner` is whose it is, if anybody's. */
interface DayLine {
  readonly text: string
  readonly kind: 'entry' | 'blank' | 'damaged'
  readonly owner?: string
  readonly model?: string
}

const utterances = fc
  .record({
    owner: fc.constantFrom('conv_a', 'conv_b', 'conv_c'),
    model: fc.constantFrom('m', 'ü', 'n'),
    text: fc.string({ maxLength: 30 }),
  })
  .map(({ owner, model, text }): DayLine => {
    const line = { version: 3, timestamp: '2025-09-01T08:00:00+00:00', conversation_id: owner }
    const said = { ...line, type: 'stt', text, metadata: { model } }
    return { text: JSON.stringify(said), kind: 'entry', owner, model }
  })
const nobodys = fc
  .constantFrom<readonly [string, DayLine['kind']]>(
    ['', 'blank'],
    [' \r', 'blank'],
    ['{', 'damaged'],
  )
  .map(([text, kind]): DayLine => ({ text, kind }))

function write(lines: readonly DayLine[]): { root: string; file: string } {
  const root = folder()
  const file = path.join(root, 'logs/conversations/exchanges_2025-09-01.jsonl')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, lines.map(({ text }) => `${text}\n`).join(''))
  return { root, file }
}

it('counts every conversation of a day by its own lines, and by those of nobody among them', async () => {
  const days = fc.array(fc.oneof({ weight: 4, arbitrary: utterances }, nobodys), { maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(days, async (lines) => {
      const { root } = write(lines)
      let offset = 0
      const placed = lines.map((line) => {
        const placedLine = { ...line, offset }
        offset += Buffer.byteLength(line.text) + 1
        return placedLine
      })
      const counter = inlineCounter(nodeDisk)
      const histories = await openHistories(nodeDisk, [{ source: 'voicemode', path: root }]).list()
      expect(histories).toHaveLength(new Set(lines.flatMap(({ owner }) => owner ?? [])).size)
      await Promise.all(
        histories.map(async (history) => {
          const { key, files } = history.ref
          const part = files[0]?.part
          if (part === undefined) throw new Error('a day is shared')
          const within = placed.filter(
            (line) => line.offset >= part.offset && line.offset < part.end,
          )
          const own = placed.filter(({ owner }) => owner === key)
          const blank = within.filter(({ kind }) => kind === 'blank').length
          const damaged = within.filter(({ kind }) => kind === 'damaged').length
          expect(await countHistory(counter, nodeDisk, history)).toMatchObject({
            entries: own.length,
            lines: own.length + blank + damaged,
            blank,
            damaged,
            models: [...new Set(own.map(({ model }) => model))],
          })
        }),
      )
    }),
    { numRuns: 150 },
  )
})

it('reads a day once for all its conversations, and anew when it was written anew', async () => {
  const line = (owner: string): DayLine => ({
    text: JSON.stringify({ version: 3, timestamp: 't', conversation_id: owner, type: 'stt' }),
    kind: 'entry',
    owner,
  })
  const { root, file } = write(['conv_a', 'conv_b', 'conv_a', 'conv_b', 'conv_a'].map(line))
  let readBytes = 0
  const disk: typeof nodeDisk = {
    ...nodeDisk,
    async open(target, mode) {
      const opened = await nodeDisk.open(target, mode)
      return {
        ...opened,
        async read(into, position) {
          const got = await opened.read(into, position)
          readBytes += got
          return got
        },
      }
    },
  }
  const roots = [{ source: 'voicemode' as const, path: root }]
  const counter = inlineCounter(disk)
  const counts = async () => {
    const found = await openHistories({ ...nodeDisk }, roots).list()
    const all = await Promise.all(found.map((history) => countHistory(counter, disk, history)))
    return all.map(({ entries }) => entries)
  }
  expect(await counts()).toEqual([3, 2])
  expect(readBytes).toBe(fs.statSync(file).size)

  const more = fs.readFileSync(file)
  fs.writeFileSync(file, Buffer.concat([more, more]))
  fs.utimesSync(file, 1, 1)
  expect(await counts()).toEqual([6, 4])
})
