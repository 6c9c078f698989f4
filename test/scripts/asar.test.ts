import { expect, it } from 'vitest'
import { packAsar } from '../../scripts/electron/asar.mjs'

it('packs files so that their places in the header lead to their bytes', () => {
  const files = { 'package.json': '{"main":"main.js"}', 'main.js': "console.log('ü')" }
  const archive = packAsar(files)

  const jsonLength = archive.readUInt32LE(12)
  const bodies = 8 + archive.readUInt32LE(4)
  const header = JSON.parse(archive.toString('utf8', 16, 16 + jsonLength))
  const unpacked = Object.entries<{ size: number; offset: string }>(header.files).map(
    ([name, { size, offset }]) => {
      const start = bodies + Number(offset)
      return [name, archive.toString('utf8', start, start + size)]
    },
  )
  expect(archive.readUInt32LE(0)).toBe(4)
  expect(Object.fromEntries(unpacked)).toEqual(files)
})
