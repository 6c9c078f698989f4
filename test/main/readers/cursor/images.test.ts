import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { cursorReader } from '../../../../src/main/readers/cursor/cursor'
import { cursorMessage } from '../../../../src/main/readers/cursor/lines/message'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { bubbleSql, chatSql, stateTables } from '../../../support/cursor-rows'
import { onePoint } from '../../../support/images'
import { sourceReading } from '../../../support/source-reading'
import { hasSqlite3, writeDatabase } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { refsUnder, factsOf } = sourceReading(cursorReader, disk)
const url = `data:image/png;base64,${Buffer.from(onePoint).toString('base64')}`

describe.skipIf(!hasSqlite3)('a picture of a message in the editor', () => {
  it('is read from the folder of its workspace, and from nowhere else', async () => {
    const root = temp()
    const user = path.join(root, 'User')
    fs.mkdirSync(path.join(user, 'globalStorage'), { recursive: true })
    const folder = path.join(user, 'workspaceStorage', 'ab12', 'images')
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, 'leaf 1.png'), onePoint)
    fs.writeFileSync(path.join(root, 'secret.png'), onePoint)
    fs.symlinkSync(path.join(root, 'secret.png'), path.join(folder, 'link.png'))
    const place =
      'C:\\Users\\ann\\AppData\\Roaming\\Cursor\\User\\workspaceStorage\\ab12\\images\\leaf 1.png'
    const images = [{ path: place, uuid: 'u' }, { path: path.join(root, 'secret.png') }]
    writeDatabase(
      path.join(user, 'globalStorage', 'state.vscdb'),
      `${stateTables} ${chatSql('c1', {}, ['u1'])}
       ${bubbleSql('c1', 'u1', { text: 'which tree?', context: { selectedImages: images } })}`,
    )
    const [ref] = await refsUnder(user)
    if (ref === undefined) throw new Error('no chat')
    const { facts } = await factsOf(ref)
    const told = facts.flatMap((fact) =>
      fact.type === 'entry' ? [fact.entry.metadata?.images] : [],
    )
    expect(told).toEqual([
      [{ name: place, asset: 'ab12/leaf 1.png' }, { name: path.join(root, 'secret.png') }],
    ])
    const read = (id: string) => cursorReader.readAsset?.(ref, id, disk, 1_000_000)
    expect(Buffer.from((await read('ab12/leaf 1.png')) ?? [])).toEqual(Buffer.from(onePoint))
    for (const id of [
      'ab12/link.png',
      '../secret.png',
      'ab12/../../../secret.png',
      'ab12',
      'zz/leaf 1.png',
    ])
      expect(await read(id), id).toBeUndefined()
    expect(await cursorReader.readAsset?.(ref, 'ab12/leaf 1.png', disk, 3)).toBeUndefined()
  })
})

it.each([
  ['an address', url],
  ['Base64', Buffer.from(onePoint).toString('base64')],
  ['a buffer as JSON has it', JSON.parse(JSON.stringify(Buffer.from(onePoint)))],
  ['bytes by their places', Object.fromEntries([...onePoint].map((byte, at) => [at, byte]))],
])('a picture of a message of the command line that is %s has its bytes', (_, image) => {
  const [entry] = cursorMessage('user', [
    { type: 'text', text: 'which tree?' },
    { type: 'image', image, mimeType: 'image/png' },
  ])
  expect(entry?.metadata?.images).toEqual([{ type: 'image/png', url }])
})

it('what is no picture is named alone', () => {
  const [entry] = cursorMessage('user', [
    { type: 'text', text: 'look' },
    { type: 'image', image: 'https://example.org/leaf.png' },
    { type: 'file', data: 'JVBERi0xLjQK', mediaType: 'application/pdf', filename: 'a.pdf' },
  ])
  expect(entry?.metadata).toEqual({
    images: [{}],
    attachments: [{ name: 'a.pdf', type: 'application/pdf' }],
  })
})
