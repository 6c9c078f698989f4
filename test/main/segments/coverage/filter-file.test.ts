import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { buildPart } from '../../../../src/main/segments/build/build-part'
import {
  decodeFilter,
  encodeFilter,
  isOurFilter,
} from '../../../../src/main/segments/coverage/filter-file'
import { chibiDecoder } from '../../../../src/main/store/filters/chibi-decoder'
import { searchFile, writeEntries } from '../../../support/search-corpus'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()

describe('a filter file', () => {
  let bytes = Buffer.alloc(0)

  beforeAll(async () => {
    const file = writeEntries(temp(), 'a.jsonl', [{ id: 'e', content: 'spring tide 日本語' }])
    const { identity, sizeBytes, mtimeMs } = searchFile(file)
    const known = { identity, sizeBytes, mtimeMs, decoder: 'chibi', chain: '', path: file }
    const place = { from: 0, to: sizeBytes, firstLine: 1, travels: true } as const
    const part = await buildPart(nodeDisk, { chibi: chibiDecoder }, [{ ...known, ...place }])
    bytes = Buffer.from(await encodeFilter(part ?? Buffer.alloc(0), sizeBytes))
  })

  it('of chibi is known not to be ours, and is not trusted', async () => {
    const sample = fs.readFileSync(
      path.join(__dirname, '../../../fixtures/chibi/bloom/sample.bloom'),
    )
    expect([isOurFilter(sample), await decodeFilter(sample)]).toEqual([false, undefined])
  })

  it('is no JSON as a whole, so that chibi scans the partition', () => {
    expect(() => JSON.parse(bytes.toString('utf8'))).toThrow()
  })

  it('holds the words of its file and the names of who wrote it, and does not tell where that was', async () => {
    const stored = await decodeFilter(bytes)
    expect(stored?.part.wordsBySegment()).toEqual([
      ['ann', 'spring', 'tide'].map((word) => ({ word, blocks: 1 })),
    ])
    expect(stored?.part.files).toMatchObject([{ identity: '', path: '' }])
  })

  it('is not trusted when it is cut anywhere, changed anywhere, or of another version', async () => {
    for (let end = 0; end < bytes.length; end++)
      expect(await decodeFilter(bytes.subarray(0, end))).toBeUndefined()
    for (let at = bytes.indexOf(0x0a) + 1; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(await decodeFilter(changed)).toBeUndefined()
    }
    const other = Buffer.from(
      bytes.toString('latin1').replace('"version":2', '"version":1'),
      'latin1',
    )
    expect([isOurFilter(other), await decodeFilter(other)]).toEqual([true, undefined])
  })

  it('that unfolds to more than a part can have is not trusted', async () => {
    const bomb = await encodeFilter(Buffer.alloc(65 * 1024 * 1024), 1)
    expect([bomb.length < 100_000, await decodeFilter(bomb)]).toEqual([true, undefined])
  })
})
