import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { pageMedia } from '../../../src/main/compose/page-media'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import type { Home } from '../../../src/main/home/home'
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
