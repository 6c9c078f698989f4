import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { readTextPart } from '../../../../src/main/disk/reading/saved-text'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)

function write(root: string, file: string, text: string): string {
  const whole = path.join(root, file)
  fs.mkdirSync(path.dirname(whole), { recursive: true })
  fs.writeFileSync(whole, text)
  return whole
}

async function read(base: string, below = 's/out/a.txt', from = 0, most = 100) {
  return readTextPart(nodeDisk, base, below, from, most)
}

it('reads a text part by part without cutting a character, whatever the text and the parts', async () => {
  const base = temp()
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('a', '\n', 'é', '語', '🌱', '\ufeff') }),
      fc.integer({ min: 4, max: 9 }),
      async (text, most) => {
        write(base, 's/out/a.txt', text)
        let whole = ''
        for (let from = 0; ; ) {
          const part = await read(base, undefined, from, most)
          if (part.type !== 'read') throw new Error(part.type)
          expect(part.value.bytes).toBe(Buffer.byteLength(text))
          whole += part.value.text
          if (part.value.to >= part.value.bytes) break
          expect(part.value.to).toBeGreaterThan(from)
          from = part.value.to
        }
        // A mark at the very beginning says how the file is encoded, and is no part of its text.
        expect(whole).toBe(text.replace(/^\ufeff/, ''))
      },
    ),
    { numRuns: 200 },
  )
})

describe('a file that is not its folder’s own', () => {
  it('is not read where it is a link, where a folder on the way is one, where it is a folder or a pipe', async () => {
    const base = temp()
    const secret = write(temp(), 'secret.txt', 'secret')
    fs.mkdirSync(path.join(base, 's/out'), { recursive: true })
    fs.symlinkSync(secret, path.join(base, 's/out/a.txt'))
    fs.symlinkSync(path.dirname(secret), path.join(base, 's/linked'))
    fs.mkdirSync(path.join(base, 's/out/folder'))
    expect(await read(base)).toEqual({ type: 'link' })
    expect(await read(base, 's/linked/secret.txt')).toEqual({ type: 'link' })
    expect(await read(base, 's/out/folder')).toEqual({ type: 'link' })
    expect(await read(base, 's/out/../../x')).toMatchObject({
      type: expect.not.stringMatching('read'),
    })
  })

  it('is told from one that is gone, and read where the base itself is reached by a link', async () => {
    const real = temp()
    write(real, 's/out/a.txt', 'pear')
    const linked = path.join(temp(), 'base')
    fs.symlinkSync(real, linked)
    expect(await read(linked)).toMatchObject({ type: 'read', value: { text: 'pear' } })
    expect(await read(linked, 's/out/b.txt')).toEqual({ type: 'gone' })
    expect(await read(linked, 's/none/b.txt')).toEqual({ type: 'gone' })
  })
})
