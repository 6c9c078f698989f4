import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { saveExport } from '../../../src/main/compose/save-export'
import { nodeDisk } from '../../../src/main/disk/node-disk'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()

async function* pieces(...texts: readonly (string | Uint8Array)[]) {
  yield* texts
}

it('writes all pieces, in order, as UTF-8', async () => {
  const file = path.join(folder(), 'out.md')
  const many = Array.from({ length: 3000 }, (_, n) => `line ${n} 日本語 🧵\n`.repeat(20))
  const bytes = await saveExport(nodeDisk, file, pieces(...many))

  expect(await fs.readFile(file, 'utf8')).toBe(many.join(''))
  expect((await fs.stat(file)).size).toBe(bytes)
})

it('writes bytes as they are, between texts and in their order', async () => {
  const file = path.join(folder(), 'out.jsonl')
  const noise = Uint8Array.of(0xff, 0x00, 0x0a, 0xc3)
  const written = await saveExport(
    nodeDisk,
    file,
    pieces('é', noise, new Uint8Array(0), 'end', noise),
  )

  const whole = Buffer.concat([Buffer.from('é'), noise, Buffer.from('end'), noise])
  expect((await fs.readFile(file)).equals(whole)).toBe(true)
  expect(written).toBe(whole.length)
})

it('leaves what stood there, and nothing else, when a piece fails', async () => {
  const file = path.join(folder(), 'out.md')
  await fs.writeFile(file, 'before')
  async function* failing() {
    yield 'half'
    throw new Error('the conversation vanished')
  }
  await expect(saveExport(nodeDisk, file, failing())).rejects.toThrow('the conversation vanished')

  expect(await fs.readFile(file, 'utf8')).toBe('before')
  expect(await fs.readdir(path.dirname(file))).toEqual(['out.md'])
})

it('says in words when it cannot be written there', async () => {
  const file = path.join(folder(), 'none', 'out.md')
  await expect(saveExport(nodeDisk, file, pieces('x'))).rejects.toMatchObject({ code: 'io' })
})
