import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { chatgptReader } from '../../../../src/main/readers/chatgpt/chatgpt'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { type ZipInput, zipped } from '../../../support/zipped'

const temp = tempFolders(memoryFolder)
const noSignal = new AbortController().signal

const conversation = (id: string) =>
  JSON.stringify({ id, title: id, mapping: { a: { id: 'a', parent: null, message: null } } })

const list = (...ids: readonly string[]) => `[${ids.map(conversation).join(', ')}]`

const member = (name: string, text: string): ZipInput => ({ name, content: Buffer.from(text) })

/** What a listing of one file gives: the conversations, and why it is not all. */
async function listed(name: string, bytes: string | Uint8Array) {
  const folder = temp()
  fs.writeFileSync(path.join(folder, name), bytes)
  const keys: string[] = []
  try {
    for await (const { key } of chatgptReader.list(folder, historyDisk(appDisk), noSignal))
      keys.push(key)
  } catch (error) {
    return { keys: keys.sort(), fault: String(error) }
  }
  return { keys: keys.sort(), fault: undefined }
}

describe('the conversations of an export', () => {
  it('are all there, or it is reported, wherever the document was cut', async () => {
    const whole = list('one', 'two', 'three')
    expect(await listed('conversations.json', whole)).toEqual({
      keys: ['one', 'three', 'two'],
      fault: undefined,
    })
    for (let end = whole.indexOf('"one"') + 20; end < whole.length; end++) {
      const { fault } = await listed('conversations.json', whole.slice(0, end))
      // A list whose conversations had not turned up yet may be anybody's.
      if (end > whole.indexOf('"mapping"') + 12) expect(fault).toContain('ends before')
    }
  })

  it('are all there where something stands behind the end, which is reported with its size', async () => {
    for (const behind of ['\0'.repeat(600), '\n]}\n', '\nwords 1\n', '"words"', '[]'])
      expect(await listed('conversations.json', `${list('one', 'two')}${behind}`)).toEqual({
        keys: ['one', 'two'],
        fault: expect.stringContaining(`${behind.length} bytes behind the end of the document`),
      })
    expect((await listed('conversations.json', `${list('one')} \n\n`)).fault).toBeUndefined()
  })

  it('are all there where zeros were left in place of the end', async () => {
    const whole = list('one', 'two')
    const cut = whole.slice(0, whole.indexOf(', {"id":"two"'))
    const { keys, fault } = await listed('conversations.json', cut + '\0'.repeat(600))
    expect(keys).toEqual(['one'])
    expect(fault).toContain('ends before')
  })

  it('are found in every member, also in a second one of the same name and behind backslashes', async () => {
    const zip = zipped([
      member('conversations.json', list('one')),
      member('conversations.json', list('two')),
      member('export\\conversations-001.json', list('three')),
      member('__MACOSX\\conversations-001.json', list('none')),
    ])
    expect(await listed('export.zip', zip)).toEqual({
      keys: ['one', 'three', 'two'],
      fault: undefined,
    })
  })

  it('are read as far as they go where their member ends before the size that its archive tells', async () => {
    const text = list('one', 'two')
    const content = Buffer.from(text.slice(0, text.lastIndexOf('}}')))
    const folder = temp()
    const zip = zipped([{ name: 'conversations.json', content, claims: content.length + 90 }])
    fs.writeFileSync(path.join(folder, 'export.zip'), zip)
    const disk = historyDisk(appDisk)
    const found: [string, number | undefined][] = []
    const listing = async () => {
      for await (const { key, files } of chatgptReader.list(folder, disk, noSignal)) {
        const file = files[0]?.file ?? ''
        found.push([key, (await disk.stat(path.join(folder, file)))?.sizeBytes])
      }
    }
    await expect(listing()).rejects.toThrow('is damaged in the archive')
    expect(found).toEqual([
      ['one', expect.any(Number)],
      ['two', expect.any(Number)],
    ])
  })

  it.each([
    ['is encrypted', { flags: 1 }],
    ['is packed by method 14', { method: 14 }],
  ])('are reported as missing where their member %s', async (reason, odd) => {
    const zip = zipped([{ ...member('conversations.json', list('one')), ...odd }])
    const { keys, fault } = await listed('export.zip', zip)
    expect(keys).toEqual([])
    expect(fault).toContain(`conversations.json ${reason}`)
  })

  it.each([
    ['a byte order mark', '\ufeff'],
    ['none', ''],
  ])('are reported as missing where their text is UTF-16, with %s', async (_name, mark) => {
    const bytes = Buffer.from(`${mark}${list('one')}`, 'utf16le')
    const swapped = Buffer.from(bytes).swap16()
    for (const text of [bytes, swapped]) {
      const { keys, fault } = await listed('conversations.json', text)
      expect(keys).toEqual([])
      expect(fault).toContain('conversations.json: its text is UTF-16, and Skein reads UTF-8.')
    }
  })

  it('are reported as missing where their archive is inside of another one', async () => {
    const content = zipped([member('conversations.json', list('one'))])
    const outer = zipped([{ name: 'data/export.zip', content }, member('manifest.json', '{}')])
    expect(await listed('download.zip', outer)).toEqual({
      keys: [],
      fault: expect.stringContaining('download.zip holds another zip, export.zip.'),
    })
    const besides = zipped([
      { name: 'export.zip', content },
      member('notes.txt', 'of something else'),
    ])
    expect(await listed('download.zip', besides)).toEqual({ keys: [], fault: undefined })
  })

  it('are reported as missing where other bytes come before their archive', async () => {
    const zip = zipped([member('conversations.json', list('one'))])
    for (const front of ['#', 'HTTP/1.1 200 OK\r\n\r\n', ' '.repeat(100_000)])
      expect(await listed('export.zip', Buffer.concat([Buffer.from(front), zip]))).toEqual({
        keys: [],
        fault: expect.stringContaining('export.zip cannot be read: other bytes come before'),
      })
  })

  it('are reported as missing where what is named as an archive is none', async () => {
    const { keys, fault } = await listed('export.zip', '<html>Please sign in</html>')
    expect([keys, fault]).toEqual([[], expect.stringContaining('export.zip is not a zip archive.')])
    // Images and recordings of exports are named so, too.
    expect(await listed('file-1.dat', 'a picture')).toEqual({ keys: [], fault: undefined })
  })

  it('are reported as missing in a sentence that names the archive once, without its folder', async () => {
    const zip = zipped([member('conversations.json', list('one'))])
    expect((await listed('export.zip', zip.subarray(0, zip.length - 4))).fault).toBe(
      'AppError: export.zip cannot be read: the end of the archive is missing: it is not whole.',
    )
  })
})
