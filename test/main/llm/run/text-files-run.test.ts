import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { frameTextFiles, keepTextFiles } from '../../../../src/main/llm/steps/text-files'
import { keptTextFiles, messageParts } from '../../../../src/shared/model/attachments/text-files'
import { typedTextOf } from '../../../../src/shared/model/attachments/typed-text'
import { checkHome } from '../../../support/chibi-checker/home'
import type { ScriptStep } from '../../../support/scripted-provider'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { preparedHome } from '../support/prepared-run'
import { content, finish } from '../support/tool-support'

const temp = tempFolders(memoryFolder)
let home: ReturnType<typeof preparedHome>
beforeEach(() => {
  home = preparedHome(temp())
})
const answer: readonly ScriptStep[] = [content('Seen.'), finish()]
const notes = { name: 'notes.txt', bytes: Buffer.from('\uFEFFRain: 3 mm\n') }
const wide = { name: 'wide.csv', bytes: Buffer.from('\uFEFFa;b\r\n', 'utf16le') }

async function said() {
  const entry = (await home.entriesOf()).find(({ role }) => role === 'user')
  if (entry === undefined) throw new Error('nothing was said')
  return entry
}

describe('text files of a message', () => {
  it('stand in the message itself, which any reader of the transcript has, and beside it as they were', async () => {
    const { requests } = await home.play([answer], { text: 'Look.', files: [notes, wide] })
    const words =
      'Look.\n\nFile "notes.txt":\n\n```txt\nRain: 3 mm\n```\n\nFile "wide.csv":\n\n```csv\na;b\r\n```'
    expect(requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: words })
    const entry = await said()
    expect(entry.content).toBe(words)
    const kept = keptTextFiles(entry.metadata)
    expect(kept.map(({ name, encoding, bytes }) => [name, encoding, bytes])).toEqual([
      ['notes.txt', 'utf-8', notes.bytes.length],
      ['wide.csv', 'utf-16le', wide.bytes.length],
    ])
    for (const [at, { bytes }] of [notes, wide].entries())
      expect(fs.readFileSync(path.join(home.folder, kept[at]?.file ?? '')).equals(bytes)).toBe(true)
    expect(messageParts(entry.content, kept).map(({ type }) => type)).toEqual([
      'words',
      'file',
      'file',
    ])
    expect(checkHome(home.home)).toEqual([])
  })

  it('have of a PDF what was read from it, and keep the PDF', async () => {
    const bytes = Buffer.from('%PDF-1.7 and more')
    const pdf = { name: 'paper.pdf', bytes, text: '[Page 1]\nRain' }
    await home.play([answer], { text: 'Look.', files: [pdf] })
    const entry = await said()
    expect(entry.content).toBe('Look.\n\nFile "paper.pdf":\n\n```\n[Page 1]\nRain\n```')
    const [kept] = keptTextFiles(entry.metadata)
    expect(kept).toMatchObject({ name: 'paper.pdf', encoding: 'pdf', bytes: bytes.length })
    expect(kept?.file).toMatch(/^attachments\/[0-9a-f]{64}\.pdf$/)
    expect(fs.readFileSync(path.join(home.folder, kept?.file ?? '')).equals(bytes)).toBe(true)
    expect(checkHome(home.home)).toEqual([])
  })

  it('may be the whole of it', async () => {
    await home.play([answer], { text: '', files: [notes] })
    expect((await said()).content).toBe('File "notes.txt":\n\n```txt\nRain: 3 mm\n```')
  })

  it('are found behind what the inbox brings, and are none of what was typed', async () => {
    const waiting = { id: 'm1', timestamp: 7, from: 'zoo', to: 'garden', content: 'Rain.' }
    home.put('contexts/garden/inbox.jsonl', `${JSON.stringify(waiting)}\n`)
    await home.play([answer], { text: 'Look.', files: [notes] })
    const entry = await said()
    const parts = messageParts(entry.content, keptTextFiles(entry.metadata))
    expect(parts.map(({ type, text }) => (type === 'file' ? text : type))).toEqual([
      'words',
      'Rain: 3 mm',
    ])
    expect(entry.metadata).toMatchObject({ typed: 'Look.' })
    // What is edited has the files, as where nothing was in the inbox.
    expect(typedTextOf(entry)).toBe('Look.\n\nFile "notes.txt":\n\n```txt\nRain: 3 mm\n```')
  })

  it('have no places where a plugin left one out: what looks like it may be within another', async () => {
    const framed = frameTextFiles([notes, { name: 'b.md', bytes: Buffer.from('x') }])
    const [first, second] = framed.map(({ frame }) => frame)
    const outer = frameTextFiles([{ name: 'c.md', bytes: Buffer.from(`${first}\n`) }])
    const kept = async (content: string, files: typeof framed) => {
      const made = await keepTextFiles(files, content, async () => ({ file: 'f', sha256: '0' }))
      return made.map(({ name, start, end }) => [name, start, end])
    }
    expect(await kept(`${first}\n\n${second}`, framed)).toEqual([
      ['notes.txt', 0, first?.length],
      ['b.md', (first?.length ?? 0) + 2, `${first}\n\n${second}`.length],
    ])
    const none = ['notes.txt', undefined, undefined]
    // The frame of the first is found, though only in the text of a third.
    expect(await kept(`${outer[0]?.frame}`, framed)).toEqual([none, ['b.md', undefined, undefined]])
    expect(await kept(`${second}\n\n${first}`, framed)).toEqual([
      none,
      ['b.md', undefined, undefined],
    ])
  })

  it('that are none keep the message from being written', async () => {
    const binary = { name: 'a.bin', bytes: Buffer.from('a\0b') }
    await expect(home.play([answer], { text: 'Look.', files: [binary] })).rejects.toMatchObject({
      code: 'bad-argument',
      message: '"a.bin" is not text: it has a NUL character. Nothing was sent.',
    })
    expect((await home.entriesOf()).filter(({ role }) => role === 'user')).toEqual([])
    expect(fs.existsSync(path.join(home.folder, 'attachments'))).toBe(false)
  })
})
