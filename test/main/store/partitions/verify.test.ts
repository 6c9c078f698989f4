import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { message } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)

/** A context with one sealed partition of a few kilobytes, and an active one. */
async function sealedContext() {
  const home = temp()
  const policy = { ...defaultRotationPolicy, maxEntries: 4 }
  const store = openStore({
    home,
    disk: nodeDisk,
    now: () => 1e12,
    storagePolicy: async () => policy,
  })
  const writer = await store.openWriter('garden', { create: true })
  for (const n of [900, 1500, 40, 1])
    await writer.append(message('é'.repeat(n), { timestamp: 1e9 }))
  await writer.close()
  const partition = path.join(
    home,
    'contexts/garden/transcript/partitions/1000000000-1000000000.jsonl',
  )
  const original = fs.readFileSync(partition)
  const seals = path.join(home, 'contexts/garden/seals.skein.jsonl')
  const verdict = async () => (await store.verify('garden'))[0]
  return { home, store, partition, seals, original, verdict }
}

describe('verifying', () => {
  it('finds sealed partitions good, and does not judge the active one', async () => {
    const { store } = await sealedContext()
    expect(await store.verify('garden')).toEqual([
      {
        file: 'contexts/garden/transcript/partitions/1000000000-1000000000.jsonl',
        lines: 4,
        damaged: 0,
        sealed: true,
        ok: true,
      },
      {
        file: 'contexts/garden/transcript/active.jsonl',
        lines: 1,
        damaged: 0,
        sealed: false,
        ok: true,
      },
    ])
  })

  it('names the byte when one byte changed, wherever it is', async () => {
    const { partition, original, verdict } = await sealedContext()
    await fc.assert(
      fc.asyncProperty(
        fc.nat(original.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const changed = Buffer.from(original)
          changed[at] = ((changed[at] ?? 0) + by) % 256
          fs.writeFileSync(partition, changed)
          expect(await verdict()).toMatchObject({ ok: false, firstChangedByte: at, withinBytes: 1 })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('names the kilobyte when several bytes in it changed', async () => {
    const { partition, original, verdict } = await sealedContext()
    const changed = Buffer.from(original)
    changed.write('different', 1500)
    changed.write('and later', 3000)
    fs.writeFileSync(partition, changed)
    expect(await verdict()).toMatchObject({ ok: false, firstChangedByte: 1024, withinBytes: 1024 })
  })

  it('never names a place after the first change, whatever was done', async () => {
    const { partition, original, verdict } = await sealedContext()
    await fc.assert(
      fc.asyncProperty(
        fc.nat(original.length),
        fc.nat(2000),
        fc.uint8Array({ maxLength: 50 }),
        async (at, removed, added) => {
          const changed = Buffer.concat([
            original.subarray(0, at),
            added,
            original.subarray(at + removed),
          ])
          fs.writeFileSync(partition, changed)
          const found = await verdict()
          expect(found?.ok).toBe(changed.equals(original))
          if (found?.ok) return
          const first = original.findIndex((byte, i) => byte !== changed[i])
          const firstChanged = first < 0 ? original.length : first
          const { firstChangedByte = -1, withinBytes = 0 } = found ?? {}
          expect(firstChangedByte).toBeLessThanOrEqual(firstChanged)
          expect(firstChangedByte + withinBytes).toBeGreaterThan(firstChanged)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('tells of bytes that were added, and of a partition that is gone', async () => {
    const { partition, original, verdict, store } = await sealedContext()
    fs.appendFileSync(partition, '{"more":1}\n')
    expect(await verdict()).toMatchObject({
      ok: false,
      firstChangedByte: original.length,
      withinBytes: 1,
      addedBytes: 11,
      damaged: 1,
    })
    fs.rmSync(partition)
    expect((await store.verify('garden')).at(-1)).toMatchObject({
      file: expect.stringContaining('1000000000.jsonl'),
      sealed: true,
      ok: false,
      lines: 0,
    })
  })

  it('takes late lines that their writer told of for good, and no others', async () => {
    const { partition, seals, original, verdict } = await sealedContext()
    const [one, two] = ['{"late":1}\n', '{"late":2}\n']
    const told = (line: string, late: number) => {
      const sha256 = createHash('sha256').update(line).digest('hex')
      fs.appendFileSync(seals, `${JSON.stringify({ late, bytes: line.length, sha256 })}\n`)
    }
    fs.appendFileSync(partition, one + two)
    // In whatever order they were told.
    told(two, original.length + one.length)
    expect(await verdict()).toMatchObject({ ok: false, firstChangedByte: original.length })
    told(one, original.length)
    expect(await verdict()).toMatchObject({ sealed: true, ok: true, lines: 6 })
    fs.appendFileSync(partition, 'and more\n')
    const firstChangedByte = original.length + one.length + two.length
    expect(await verdict()).toMatchObject({ ok: false, firstChangedByte, addedBytes: 9 })
    fs.writeFileSync(
      partition,
      Buffer.concat([original.fill(0x20, 50, 51), Buffer.from(one + two)]),
    )
    expect(await verdict()).toMatchObject({ ok: false, firstChangedByte: 50 })
  })

  it('says of a partition that may grow that it has grown, and still what changed in it', async () => {
    const { partition, seals, original, verdict } = await sealedContext()
    const seal = JSON.parse(fs.readFileSync(seals, 'utf8')) as Record<string, unknown>
    fs.writeFileSync(seals, `${JSON.stringify({ ...seal, mayGrow: true })}\n`)
    fs.appendFileSync(partition, '{"late":1}\n')
    const firstChangedByte = original.length
    expect(await verdict()).toMatchObject({ ok: true, firstChangedByte, addedBytes: 11 })
    fs.writeFileSync(partition, original.fill(0x20, 3000, 3001))
    expect(await verdict()).toMatchObject({ ok: false, firstChangedByte: 3000 })
  })

  describe('says what is broken, whatever the file of seals holds', () => {
    it('a seal with empty sums: that the partition changed, not where', async () => {
      const { seals, partition, original, verdict } = await sealedContext()
      const seal = JSON.parse(fs.readFileSync(seals, 'utf8')) as Record<string, unknown>
      fs.writeFileSync(seals, `${JSON.stringify({ ...seal, sums: '' })}\n`)
      expect(await verdict()).toMatchObject({ sealed: true, ok: true })
      fs.writeFileSync(partition, original.fill(0x20, 3000, 3001))
      const found = await verdict()
      expect(found).toMatchObject({ sealed: true, ok: false })
      expect(found).not.toHaveProperty('firstChangedByte')
    })

    it('any bytes and any JSON, over a partition that changed', async () => {
      const { seals, partition, original, store } = await sealedContext()
      const seal = JSON.parse(fs.readFileSync(seals, 'utf8')) as Record<string, unknown>
      fs.writeFileSync(partition, original.fill(0x20, 3000, 3001))
      const value = fc.oneof(fc.jsonValue(), fc.constantFrom('', -1, 0.5, 1e300, seal.bytes))
      const field = fc.constantFrom('bytes', 'sha256', 'sums')
      const bent = fc
        .record({ field, value })
        .map((one) => Buffer.from(JSON.stringify({ ...seal, [one.field]: one.value })))
      const anything = fc.oneof(
        bent,
        fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes)),
        fc.jsonValue().map((json) => Buffer.from(JSON.stringify(json))),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(anything, { minLength: 1, maxLength: 4 }), async (lines) => {
          fs.writeFileSync(seals, Buffer.concat(lines.flatMap((one) => [one, Buffer.from('\n')])))
          const isBlank = fs.readFileSync(seals, 'utf8').trim() === ''
          const found = await store.verify('garden')
          expect(found.every(({ ok }) => ok)).toBe(isBlank)
        }),
        { numRuns: 300 },
      )
    })

    it('names a partition whose seal is damaged as one that nothing proves', async () => {
      const { seals, store, partition } = await sealedContext()
      const file = `partitions/${path.basename(partition)}`
      fs.writeFileSync(seals, `${JSON.stringify({ file, bytes: 'many' })}\n`)
      const found = await store.verify('garden')
      expect(found[0]).toMatchObject({ lines: 4, sealed: true, ok: false })
      expect(found.at(-1)).toEqual({
        file: 'contexts/garden/seals.skein.jsonl',
        lines: 1,
        damaged: 1,
        sealed: false,
        ok: false,
      })
    })

    it('takes no offence at a line that a crash cut off, once the seal stands behind it', async () => {
      const { seals, store } = await sealedContext()
      const whole = fs.readFileSync(seals)
      for (const torn of [3, 20, whole.length - 2]) {
        fs.writeFileSync(seals, Buffer.concat([whole.subarray(0, torn), Buffer.from('\n'), whole]))
        expect((await store.verify('garden')).map(({ ok }) => ok)).toEqual([true, true])
      }
    })
  })
})
