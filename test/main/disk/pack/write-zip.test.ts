import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { writeZip } from '../../../../src/main/disk/pack/write-zip'
import type { ZipWriter } from '../../../../src/main/disk/pack/zip-writer'
import { readZipDirectory } from '../../../../src/main/disk/unpack/zip-directory'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

const twoMembers = async (zip: ZipWriter) => {
  await zip.add('a.md', pieces('plums ', 'and pears'), 0)
  await zip.add('b.md', pieces('soup'), 0)
}

/** A place where something stands already. */
function place() {
  const target = path.join(temp(), 'all.zip')
  fs.writeFileSync(target, 'mine')
  const untouched = () => [fs.readdirSync(path.dirname(target)), fs.readFileSync(target, 'utf8')]
  return { target, untouched }
}

const asItWas = [['all.zip'], 'mine']

/** Where a byte of the packed content comes back as another than it was written. */
function rottenDisk(at: number): Disk {
  return {
    ...nodeDisk,
    async open(file, mode, permissions) {
      const opened = await nodeDisk.open(file, mode, permissions)
      if (mode !== 'read') return opened
      return {
        ...opened,
        write: (bytes) => opened.write(bytes),
        stat: () => opened.stat(),
        sync: () => opened.sync(),
        close: () => opened.close(),
        async read(into, position) {
          const got = await opened.read(into, position)
          const byte = into[at - position]
          if (at >= position && at < position + got && byte !== undefined)
            into[at - position] = byte ^ 1
          return got
        },
      }
    },
  }
}

describe('a zip that is written', () => {
  it('tells its bytes, and when it begins to be read back', async () => {
    const { target } = place()
    const steps: string[] = []
    const bytes = await writeZip(
      nodeDisk,
      target,
      async (zip) => {
        await twoMembers(zip)
        steps.push('filled')
      },
      { checking: () => steps.push('checking'), signal: new AbortController().signal },
    )
    expect(bytes).toBe(fs.statSync(target).size)
    expect(steps).toEqual(['filled', 'checking'])
  })

  it('does not get its name where any byte of a member or of the directory reads otherwise', async () => {
    const { target, untouched } = place()
    const { signal } = new AbortController()
    const other = path.join(temp(), 'other.zip')
    const length = await writeZip(nodeDisk, other, twoMembers, { signal })
    // The local headers are not all looked at: nothing but the directory counts for whoever opens it.
    const content = fs.readFileSync(other)
    const packed = content.indexOf(Buffer.from([0x50, 0x4b, 7, 8])) - 1
    const names = [content.lastIndexOf('a.md'), content.lastIndexOf('b.md')]
    for (const at of [packed, ...names, length - 22])
      await expect(
        writeZip(rottenDisk(at), target, twoMembers, { signal }).then(() => at),
      ).rejects.toThrow(DiskError)
    expect(untouched()).toEqual(asItWas)
  })

  it('leaves what stood there after a failure, and after a stop, also while it is read back', async () => {
    const { target, untouched } = place()
    const failure = new Error('no more')
    const { signal } = new AbortController()
    const failing = async (zip: ZipWriter) => {
      await twoMembers(zip)
      throw failure
    }
    await expect(writeZip(nodeDisk, target, failing, { signal })).rejects.toBe(failure)
    for (const step of ['fill', 'checking'] as const) {
      const stopping = new AbortController()
      const stopped = writeZip(
        nodeDisk,
        target,
        async (zip) => {
          await twoMembers(zip)
          if (step === 'fill') stopping.abort()
        },
        {
          checking: () => step === 'checking' && stopping.abort(),
          signal: stopping.signal,
        },
      )
      await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    }
    expect(untouched()).toEqual(asItWas)
  })

  it('has a member whose time no zip can name', async () => {
    const { target } = place()
    const times = [8e15, -8e15, Date.UTC(60_056, 5, 1), Date.UTC(2025, 0, 1)]
    await writeZip(
      nodeDisk,
      target,
      async (zip) => {
        for (const [at, time] of times.entries()) await zip.add(`${at}.md`, pieces('soup'), time)
      },
      { signal: new AbortController().signal },
    )
    const file = await nodeDisk.open(target, 'read')
    const { members, fault } = await readZipDirectory(file)
    await file.close()
    expect([fault, members.map(({ name }) => name)]).toEqual([
      undefined,
      ['0.md', '1.md', '2.md', '3.md'],
    ])
    expect(members[3]?.modifiedMs).toBe(times[3])
  })
})
