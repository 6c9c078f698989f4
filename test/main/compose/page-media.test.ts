import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { pageMedia } from '../../../src/main/compose/page-media'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import type { Home } from '../../../src/main/home/home'
import { keepImages } from '../../../src/main/store/texts/attachments'
import { onePoint } from '../../support/images'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()

it('shows an image of an own conversation, and none that would fill all memory', async () => {
  const home = temp()
  const folder = path.join(home, 'contexts/garden/attachments')
  fs.mkdirSync(folder, { recursive: true })
  const put = (bytes: Uint8Array) => {
    const file = `attachments/${createHash('sha256').update(bytes).digest('hex')}.png`
    fs.writeFileSync(path.join(home, 'contexts/garden', file), bytes)
    return file
  }
  const wide = Buffer.from(onePoint)
  wide.writeUInt32BE(60_000, 16)
  wide.writeUInt32BE(60_000, 20)
  // Nothing else of the home is asked for where the image is the context's own.
  const media = pageMedia(nodeDisk, () => ({ path: home }) as Home)
  expect(await media.image('garden', put(onePoint))).toEqual({
    mime: 'image/png',
    bytes: Buffer.from(onePoint),
  })
  expect(await media.image('garden', put(wide))).toBeUndefined()
})

it('shows each image of an own conversation that could be sent, and no other', async () => {
  const home = temp()
  fs.mkdirSync(path.join(home, 'contexts/garden'), { recursive: true })
  const media = pageMedia(nodeDisk, () => ({ path: home }) as Home)
  const place = { disk: nodeDisk, home, context: 'garden' }
  const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')
  const header = (width: number, height: number) => {
    const png = Buffer.from(onePoint)
    png.writeUInt32BE(width, 16)
    png.writeUInt32BE(height, 20)
    return png
  }
  const sent = [
    header(1200, 80_000),
    hex('ffd8 ffe00004aaaa 0000 ffc0 0011 08 0258 0320 03'), // Stray bytes between segments.
    hex('ffd8 ffe00004aaaa'), // A size that cannot be read.
  ]
  for (const bytes of sent) {
    const [kept] = await keepImages(place, [{ name: 'a', bytes }])
    expect((await media.image('garden', kept?.file ?? ''))?.bytes).toEqual(bytes)
  }
  const before = fs.readdirSync(path.join(home, 'contexts/garden/attachments'))
  const screen = '474946383961 0100 0100 00 00 00'
  const parts = Buffer.concat([hex(screen), Buffer.alloc(1_500_000, hex('21 fe 00')), hex('3b')])
  for (const [bytes, why] of [
    [header(1200, 90_000), '"tall" has more than 100 million pixels. Nothing was sent.'],
    [hex('ffd8 00 ffc0 0011 08 ffff ffff 03'), '"tall" is no PNG'],
    [hex('ffd8 ffe00002 00 ffc0 0011 08 ffff ffff 03'), '"tall" has more than 100 million pixels.'],
    [parts, '"tall" is cut into more parts than are looked through.'],
  ] as const)
    await expect(keepImages(place, [{ name: 'tall', bytes }])).rejects.toMatchObject({
      code: 'bad-argument',
      message: expect.stringContaining(why),
    })
  expect(fs.readdirSync(path.join(home, 'contexts/garden/attachments'))).toEqual(before)
})
