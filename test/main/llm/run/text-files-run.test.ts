import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { keptTextFiles, messageParts } from '../../../../src/shared/model/attachments/text-files'
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

  it('may be the whole of it', async () => {
    await home.play([answer], { text: '', files: [notes] })
    expect((await said()).content).toBe('File "notes.txt":\n\n```txt\nRain: 3 mm\n```')
  })

  it('are found behind what the inbox brings, and are no typed text that differs', async () => {
    const waiting = { id: 'm1', timestamp: 7, from: 'zoo', to: 'garden', content: 'Rain.' }
    home.put('contexts/garden/inbox.jsonl', `${JSON.stringify(waiting)}\n`)
    await home.play([answer], { text: 'Look.', files: [notes] })
    const entry = await said()
    const parts = messageParts(entry.content, keptTextFiles(entry.metadata))
    expect(parts.map(({ type, text }) => (type === 'file' ? text : type))).toEqual([
      'words',
      'Rain: 3 mm',
    ])
    expect(entry.metadata).toMatchObject({
      typed: 'Look.\n\nFile "notes.txt":\n\n```txt\nRain: 3 mm\n```',
    })
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
