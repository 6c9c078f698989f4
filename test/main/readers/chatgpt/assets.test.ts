import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { chatgptReader } from '../../../../src/main/readers/chatgpt/chatgpt'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { onePoint } from '../../../support/images'
import { sourceReading } from '../../../support/source-reading'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { zipped } from '../../../support/zipped'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { refsUnder, factsOf } = sourceReading(chatgptReader, disk)
const asset = 'file-Q7pLeaf'

/** An export whose one message has an image, with the files beside it. */
const conversations = JSON.stringify([
  {
    id: 'c1',
    title: 'Leaves',
    create_time: 1_789_030_800,
    update_time: 1_789_030_800,
    mapping: {
      n1: {
        id: 'n1',
        parent: null,
        children: [],
        message: {
          id: 'n1',
          author: { role: 'user' },
          create_time: 1_789_030_800,
          content: {
            content_type: 'multimodal_text',
            parts: [
              { content_type: 'image_asset_pointer', asset_pointer: `sediment://${asset}` },
              'Which tree?',
            ],
          },
        },
      },
    },
  },
])

async function imageOf(root: string) {
  const [ref] = await refsUnder(root)
  if (ref === undefined) throw new Error('no conversation')
  const { facts } = await factsOf(ref)
  const [entry] = facts.flatMap((fact) => (fact.type === 'entry' ? [fact.entry] : []))
  const bytes = await chatgptReader.readAsset?.(ref, asset, disk, 1_000_000)
  return { images: entry?.metadata?.images, bytes: bytes && Buffer.from(bytes) }
}

const json = { name: 'conversations.json', content: Buffer.from(conversations) }
const image = { name: `${asset}-leaf.png`, content: Buffer.from(onePoint) }

describe('an image of a message', () => {
  it('is found in another zip of the same folder, and named by that', async () => {
    const root = temp()
    fs.writeFileSync(path.join(root, 'a-conversations.zip'), zipped([json]))
    expect((await imageOf(root)).bytes).toBeUndefined()
    fs.writeFileSync(path.join(root, 'b-files.zip'), zipped([image]))
    expect(await imageOf(root)).toMatchObject({
      bytes: Buffer.from(onePoint),
      images: [{ asset, file: `b-files.zip/${image.name}` }],
    })
    fs.rmSync(path.join(root, 'b-files.zip'))
    expect((await imageOf(root)).bytes).toBeUndefined()
  })

  it.each(['one', 'one/user-1', 'other', 'other/user-1'])(
    'is found when it comes to %s after the export was read, and no more when it goes',
    async (place) => {
      const root = temp()
      for (const folder of ['one/user-1', 'other/user-1'])
        fs.mkdirSync(path.join(root, folder), { recursive: true })
      fs.writeFileSync(path.join(root, 'one', json.name), json.content)
      const [ref] = await refsUnder(root)
      if (ref === undefined) throw new Error('no conversation')
      const bytes = () => chatgptReader.readAsset?.(ref, asset, disk, 1_000_000)
      expect(await bytes()).toBeUndefined()
      const file = path.join(root, place, image.name)
      fs.writeFileSync(file, image.content)
      expect(await bytes()).toEqual(Buffer.from(onePoint))
      fs.rmSync(file)
      expect(await bytes()).toBeUndefined()
    },
  )

  it('is found in an unpacked export beside its own, and taken from its own where it is there', async () => {
    const root = temp()
    const [own, other] = [path.join(root, 'one'), path.join(root, 'other')]
    for (const folder of [own, other]) fs.mkdirSync(folder)
    fs.writeFileSync(path.join(own, json.name), json.content)
    fs.writeFileSync(path.join(other, image.name), image.content)
    expect((await imageOf(root)).bytes).toEqual(image.content)
    const nearer = Buffer.concat([image.content, Buffer.from('own')])
    fs.writeFileSync(path.join(own, `${asset}.dat`), nearer)
    fs.utimesSync(path.join(own, json.name), 1, 1)
    expect((await imageOf(root)).bytes).toEqual(nearer)
  })

  it('is not looked for beside an export that was given by itself, nor by a link', async () => {
    const root = temp()
    fs.writeFileSync(path.join(root, 'a.zip'), zipped([json]))
    fs.writeFileSync(path.join(root, 'b.zip'), zipped([image]))
    expect((await imageOf(path.join(root, 'a.zip'))).bytes).toBeUndefined()
    fs.rmSync(path.join(root, 'b.zip'))
    fs.mkdirSync(path.join(root, 'folder'))
    fs.writeFileSync(path.join(temp(), 'secret.png'), image.content)
    fs.symlinkSync('/etc/hostname', path.join(root, 'folder', image.name))
    expect((await imageOf(root)).bytes).toBeUndefined()
  })
})
